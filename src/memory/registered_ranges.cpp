#include "memory/registered_ranges.hpp"

#include <iterator>

namespace convoy::memory {

bool registered_ranges::add(range added) {
  const lock held(mutex_);
  const auto after = ranges_.lower_bound(added.start);
  if (after != ranges_.end() && after->first < added.end) return false;
  if (after != ranges_.begin() && std::prev(after)->second > added.start) return false;
  ranges_.emplace(added.start, added.end);
  count_.store(ranges_.size(), std::memory_order_relaxed);
  return true;
}

bool registered_ranges::remove(std::uintptr_t start) {
  const lock held(mutex_);
  const bool removed = ranges_.erase(start) != 0;
  count_.store(ranges_.size(), std::memory_order_relaxed);
  return removed;
}

registered_ranges::region registered_ranges::region_of(std::uintptr_t address) const {
  if (count_.load(std::memory_order_relaxed) == 0) return {{0, UINTPTR_MAX}, false};
  const lock held(mutex_);
  const auto after = ranges_.upper_bound(address);
  const std::uintptr_t limit = after == ranges_.end() ? UINTPTR_MAX : after->first;
  if (after == ranges_.begin()) return {{0, limit}, false};
  const auto [start, end] = *std::prev(after);
  if (address < end) return {{start, end}, true};
  return {{end, limit}, false};
}

}  // namespace convoy::memory
