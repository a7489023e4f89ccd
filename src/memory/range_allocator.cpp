#include "memory/range_allocator.hpp"

#include <iterator>

namespace convoy::memory {

std::optional<std::uint64_t> range_allocator::take(std::uint64_t granules) {
  const auto fit = by_length_.lower_bound({granules, 0});
  if (fit == by_length_.end()) return {};

  const auto [length, start] = *fit;
  erase(by_start_.find(start));
  if (length > granules) insert(start + granules, length - granules);
  return start;
}

void range_allocator::give(std::uint64_t start, std::uint64_t granules) {
  const auto after = by_start_.lower_bound(start);
  if (after != by_start_.end() && after->first == start + granules) {
    granules += after->second;
    erase(after);
  }
  const auto later = by_start_.lower_bound(start);
  if (later != by_start_.begin()) {
    const auto before = std::prev(later);
    if (before->first + before->second == start) {
      start = before->first;
      granules += before->second;
      erase(before);
    }
  }
  insert(start, granules);
}

void range_allocator::insert(std::uint64_t start, std::uint64_t granules) {
  by_start_.emplace(start, granules);
  by_length_.emplace(granules, start);
}

void range_allocator::erase(std::map<std::uint64_t, std::uint64_t>::iterator range) {
  by_length_.erase({range->second, range->first});
  by_start_.erase(range);
}

}  // namespace convoy::memory
