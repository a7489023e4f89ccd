// Best-fit allocator of granule ranges; merges neighbouring free ranges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace convoy::memory {

class range_allocator {
 public:
  explicit range_allocator(std::uint64_t granules) { insert(0, granules); }

  // Start of a range, cut from the smallest free range that fits, the lowest of those; none when
  // nothing fits.
  std::optional<std::uint64_t> take(std::uint64_t granules);

  // Returns a range, or a part of one, that take() gave.
  void give(std::uint64_t start, std::uint64_t granules);

 private:
  void insert(std::uint64_t start, std::uint64_t granules);
  void erase(std::map<std::uint64_t, std::uint64_t>::iterator range);

  std::map<std::uint64_t, std::uint64_t> by_start_;              // start → granules
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_length_;  // granules, start
};

}  // namespace convoy::memory
