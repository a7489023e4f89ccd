#include "recordings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <variant>

#include "shared/failure.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {

recordings read_recordings(const std::vector<std::string>& files) {
  recordings found;
  for (const std::string& each : files) {
    auto one = trace::read_trace(each);
    if (const auto* const problem = std::get_if<std::string>(&one)) {
      throw failure(
          fmt::format("{} cannot be read: {}; create it with convoy trace", each, *problem));
    }
    found.all.push_back(std::get<trace::recording>(std::move(one)));
  }
  std::ranges::stable_sort(found.all, {}, &trace::recording::steady);
  return found;
}

shape_summary summarize_shape(const trace::traced_step& step) {
  shape_summary found;
  const auto copies = step.copies();
  if (copies.empty()) {
    if (step.bytes != 0 && step.items != 0) {
      found.sizes.emplace_back(std::bit_floor(step.bytes / step.items), step.items);
    }
    return found;
  }
  std::map<std::uint64_t, std::uint64_t> counts;
  for (std::size_t i = 0; i != copies.size(); ++i) {
    if (copies[i].bytes != 0) ++counts[std::bit_floor(copies[i].bytes)];
    if (i == 0) continue;
    const auto& before = copies[i - 1];
    found.adjacent +=
        before.dst + before.bytes == copies[i].dst && before.src + before.bytes == copies[i].src;
  }
  const double scale = static_cast<double>(std::max<std::uint64_t>(step.items, copies.size())) /
                       static_cast<double>(copies.size());
  const auto scaled = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * scale));
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
