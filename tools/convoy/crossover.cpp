#include "crossover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "shared/terminal.hpp"

namespace convoy::tools {
namespace {

// Less than this is noise on most machines.
constexpr double clear_win = 1.2;

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += std::log(each);
  return std::exp(sum / static_cast<double>(values.size()));
}

using gains = std::map<std::size_t, std::map<std::size_t, double>>;  // by count, then size

// Number of sizes, from the smallest on, at which this count is faster than the loop.
std::size_t sizes_won(const std::map<std::size_t, double>& by_size) {
  std::size_t won = 0;
  for (const auto& [size, gain] : by_size) {
    if (gain < clear_win) break;
    ++won;
  }
  return won;
}

// The smallest count that is faster at as many sizes as any other count.
struct winner {
  std::size_t count = 0;
  std::size_t sizes = 0;
};

winner find_winner(const gains& all) {
  winner best;
  for (const auto& [count, by_size] : all) {
    const std::size_t won = sizes_won(by_size);
    if (count > 1 && won > best.sizes) best = {count, won};
  }
  return best;
}

}  // namespace

std::string crossover_text(std::span<const sweep_point> points) {
  gains all;
  std::set<std::size_t> sizes;
  for (const sweep_point& each : points) {
    if (each.ratio_to_loop <= 0) continue;
    all[each.count][each.bytes] = each.ratio_to_loop;
    sizes.insert(each.bytes);
  }
  if (all.empty()) return "No loop of single copies was measured.";
  const winner best = find_winner(all);
  if (best.sizes == 0) {
    return "No batch is clearly faster than a loop of single copies at these sizes and counts.";
  }
  auto boundary = sizes.begin();
  std::advance(boundary, best.sizes);
  std::vector<double> won;
  for (const auto& [count, by_size] : all) {
    if (count < best.count) continue;
    for (const auto& [size, gain] : by_size) {
      if (boundary == sizes.end() || size < *boundary) won.push_back(gain);
    }
  }
  if (boundary == sizes.end()) {
    return fmt::format(
        "At every size up to {} a batch of {} or more is {:.1f}x as fast as a loop of single "
        "copies.",
        size_text(*sizes.rbegin()), best.count, mean(won));
  }
  return fmt::format(
      "Below {} a batch of {} or more is {:.1f}x as fast as a loop of single copies; larger copies "
      "hide the cost of a call.",
      size_text(*boundary), best.count, mean(won));
}

std::vector<sweep_point> largest_batches(std::span<const sweep_point> points) {
  std::map<std::size_t, sweep_point> by_size;
  for (const sweep_point& each : points) {
    sweep_point& kept = by_size[each.bytes];
    if (each.count > kept.count) kept = each;
  }
  std::vector<sweep_point> all;
  all.reserve(by_size.size());
  for (const auto& [size, point] : by_size) all.push_back(point);
  return all;
}

}  // namespace convoy::tools
