// Host memory of the program that was registered as pinned.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/mutex.hpp"

namespace convoy::memory {

class registered_ranges {
 public:
  struct range {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
  };
  // A registered range, or the gap between two of them.
  struct region {
    range extent;
    bool registered = false;
  };

  bool add(range added);              // false when it overlaps a registered range
  bool remove(std::uintptr_t start);  // false when no range starts there
  [[nodiscard]] region region_of(std::uintptr_t address) const;

 private:
  mutable mutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> ranges_ CONVOY_GUARDED_BY(mutex_);  // start → end
  std::atomic<std::size_t> count_ = 0;  // lookups skip the lock while it is 0
};

}  // namespace convoy::memory
