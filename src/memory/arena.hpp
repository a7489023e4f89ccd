// The memory of one owner: a device, the pinned host memory, or the managed memory.
#pragma once

#include <convoy/location.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/mutex.hpp"
#include "memory/area.hpp"
#include "os/shared_pages.hpp"

namespace convoy::memory {

// A range of a memory file (memfd) that processes share.
struct shared_pages {
  int file = -1;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// Half of the addresses hold small allocations, half large ones.
class arena {
 public:
  struct owner {
    memory_kind kind = memory_kind::device;
    device_id device = {};
    std::size_t capacity = 0;
  };

  // `view` is the engine's address of this arena.
  arena(owner owned_by, std::byte* view, std::size_t addresses)
      : owner_(owned_by),
        view_(view),
        half_(addresses / 2),
        small_(view, half_),
        large_(view + half_, half_) {}
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  [[nodiscard]] const owner& owned_by() const noexcept { return owner_; }
  [[nodiscard]] std::size_t used() const;

  // Offset of a new allocation; none when the capacity or the addresses are exhausted.
  std::optional<std::size_t> allocate(std::size_t bytes);

  // Moves the pages of the live allocation that starts at `offset` into a file that other processes
  // can map; none when there is no such allocation or a system call fails. They stay in the file
  // until the allocation is reclaimed, and for good when they hold small allocations.
  std::optional<shared_pages> share(std::size_t offset);

  // True when the program has closed the descriptor of that file; its number may by now be another
  // file's.
  [[nodiscard]] bool lost_file() const;

  // Offset of a new allocation that maps memory of another process. It does not count as used.
  std::optional<std::size_t> adopt(const shared_pages& foreign);
  [[nodiscard]] bool is_adopted(std::size_t offset) const;

  // Ends the allocation that starts at `offset`; none when there is none. It counts as used until
  // it is reclaimed. `number` is unique and rises with every retirement.
  std::optional<extent> retire(std::size_t offset, std::uint64_t number);
  void reclaim(extent freed);

  // The allocation that contained the byte at `offset`, was retired after number `since` and is not
  // reclaimed yet.
  [[nodiscard]] std::optional<extent> find_retired(std::size_t offset, std::uint64_t since) const;

  [[nodiscard]] std::optional<extent> find(std::size_t offset) const noexcept {
    if (offset < half_) return small_.find(offset);
    const auto found = large_.find(offset - half_);
    if (!found) return {};
    return extent{found->start + half_, found->bytes};
  }

 private:
  // From the first offset to the second, exclusive.
  using offsets = std::pair<std::size_t, std::size_t>;

  bool make_shared(offsets pages) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool has_file() const CONVOY_REQUIRES(mutex_);
  void make_private(offsets pages) CONVOY_REQUIRES(mutex_);
  void release_adopted(extent freed) CONVOY_REQUIRES(mutex_);

  const owner owner_;
  std::byte* const view_;
  const std::size_t half_;

  // Lookups read the tables of the areas without the lock.
  mutable mutex mutex_;
  small_area small_;
  large_area large_;
  std::size_t used_ CONVOY_GUARDED_BY(mutex_) = 0;

  os::file_identity file_identity_ CONVOY_GUARDED_BY(mutex_);
  int file_ CONVOY_GUARDED_BY(mutex_) = -1;                              // holds the shared pages
  std::map<std::size_t, std::size_t> shared_ CONVOY_GUARDED_BY(mutex_);  // pages in it, from → to
  std::set<std::size_t> adopted_ CONVOY_GUARDED_BY(mutex_);              // by start

  struct retirement {
    std::size_t bytes = 0;
    std::uint64_t number = 0;
  };
  std::map<std::size_t, retirement> retired_ CONVOY_GUARDED_BY(mutex_);  // by start
};

}  // namespace convoy::memory
