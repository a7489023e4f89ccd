// The memory of one owner: a device, the pinned host memory, or the managed memory.
#pragma once

#include <convoy/place.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/mutex.hpp"
#include "memory/area.hpp"

namespace convoy::memory {

// Half of the addresses hold small allocations, half large ones.
class arena {
 public:
  struct owner {
    memory_kind kind = memory_kind::device;
    device_id device = {};
    std::size_t capacity = 0;
  };

  // `view` is where the engine reaches the addresses of this arena.
  arena(owner who, std::byte* view, std::size_t addresses)
      : owner_(who), half_(addresses / 2), small_(view, half_), large_(view + half_, half_) {}

  [[nodiscard]] const owner& owned_by() const noexcept { return owner_; }
  [[nodiscard]] std::size_t used() const;

  // Offset of a new allocation; none when the capacity or the addresses are used up.
  std::optional<std::size_t> allocate(std::size_t bytes);

  // Ends the allocation that starts at `offset`; none when there is none. It counts against the
  // capacity until it is reclaimed. `number` tells retirements apart and rises with time.
  std::optional<extent> retire(std::size_t offset, std::uint64_t number);
  void reclaim(extent gone);

  // The allocation that held the byte at `offset` until a retirement after number `since`, while
  // it waits to be reclaimed.
  [[nodiscard]] std::optional<extent> find_retired(std::size_t offset, std::uint64_t since) const;

  [[nodiscard]] std::optional<extent> find(std::size_t offset) const noexcept {
    if (offset < half_) return small_.find(offset);
    const auto found = large_.find(offset - half_);
    if (!found) return {};
    return extent{found->start + half_, found->bytes};
  }

 private:
  const owner owner_;
  const std::size_t half_;

  // Lookups read the areas' tables without the lock.
  mutable mutex mutex_;
  small_area small_;
  large_area large_;
  std::size_t used_ CONVOY_GUARDED_BY(mutex_) = 0;

  struct retirement {
    std::size_t bytes = 0;
    std::uint64_t number = 0;
  };
  std::map<std::size_t, retirement> retired_ CONVOY_GUARDED_BY(mutex_);  // by start
};

}  // namespace convoy::memory
