#include "recordings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <variant>

#include "shared/terminal.hpp"

namespace convoy::tools {

recordings read_recordings(const std::vector<std::string>& files, std::uint64_t max_bytes) {
  recordings found;
  for (const std::string& each : files) {
    auto one = trace::read_trace(each, max_bytes);
    if (const auto* const problem = std::get_if<std::string>(&one)) {
      throw bad_trace(fmt::format("{} cannot be read: {}", each, *problem));
    }
    found.all.push_back(std::get<trace::recording>(std::move(one)));
    max_bytes -= std::min(max_bytes, found.all.back().memory_bytes);
  }
  std::ranges::stable_sort(found.all, {}, &trace::recording::steady);
  return found;
}

std::uint64_t default_memory_limit() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_AVPHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min(std::uint64_t{4} << 30, pages / 2 * page);
}

shape_summary summarize_shape(const trace::traced_step& step) {
  shape_summary found;
  std::map<std::uint64_t, std::uint64_t> counts;
  std::uint64_t recorded = 0;
  trace::traced_copy before;
  step.for_each_copy([&](const trace::traced_copy& each) {
    if (each.bytes != 0) ++counts[std::bit_floor(each.bytes)];
    found.adjacent += recorded != 0 && before.dst + before.bytes == each.dst &&
                      before.src + before.bytes == each.src;
    before = each;
    ++recorded;
  });
  if (recorded == 0) {
    if (step.bytes != 0 && step.items != 0) {
      found.sizes.emplace_back(std::bit_floor(step.bytes / step.items), step.items);
    }
    return found;
  }
  const double scale =
      static_cast<double>(std::max(step.items, recorded)) / static_cast<double>(recorded);
  const auto scaled = [&](std::uint64_t n) {
    constexpr double most = 0x1p62;  // a damaged file can have any number of items
    return static_cast<std::uint64_t>(std::llround(std::min(static_cast<double>(n) * scale, most)));
  };
  for (const auto& [size, count] : counts) found.sizes.emplace_back(size, scaled(count));
  found.adjacent = scaled(found.adjacent);
  return found;
}

std::string name_of(const trace::traced_step& step) {
  static constexpr std::array names{"batch",         "pitched copy",  "fill",
                                    "indirect copy", "host function", "event",
                                    "wait",          "free",          "reduction"};
  const auto kind = static_cast<std::size_t>(step.kind);
  std::string name = kind < names.size() ? names[kind] : "step";
  if (step.bytes == 0 || step.items == 0) return name;
  if (step.items == 1) {
    if (step.kind == step_kind::copies) name = "copy";
    return fmt::format("{} {}", name, size_text(step.bytes));
  }
  return fmt::format("{} {} x {}", name, step.items, size_text(step.bytes / step.items));
}

std::string directions_of(const trace::traced_step& step) {
  static constexpr std::array names{"host to host", "host to device", "device to host",
                                    "device to device"};
  std::string all;
  for (std::size_t i = 0; i != names.size(); ++i) {
    if (!step.copy_directions.has(static_cast<direction>(i))) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", names[i]);
  }
  return all;
}

}  // namespace convoy::tools
