// Large batches that were here a moment ago, whose bytes may still be in the cache.
//
// A program that fills the same buffers again and again, and reads them in between, is better
// served by stores that stay in the cache. One batch does not tell; its coming back does.
#pragma once

#include <array>
#include <cstddef>

#include "base/mutex.hpp"
#include "os/cpu_features.hpp"
#include "os/futex.hpp"

namespace convoy::cpu {

// Where a batch goes: its first and its last destination, and how much.
struct footprint {
  const void* first = nullptr;
  const void* last = nullptr;
  std::size_t bytes = 0;

  friend bool operator==(const footprint&, const footprint&) = default;
};

class reuse_history {
 public:
  explicit reuse_history(const os::processor& on);

  // Notes the batch. True when it went to the same place before, and neither so many bytes nor so
  // much time have gone by since that the cache has lost it.
  bool seen_recently(const footprint& area, os::clock::time_point now);

 private:
  struct visit {
    footprint area;
    std::size_t bytes_then = 0;  // of all_bytes_
    os::clock::time_point then;
  };

  const std::size_t max_bytes_;  // bytes
  mutex mutex_;
  std::size_t all_bytes_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::array<visit, 8> visits_ CONVOY_GUARDED_BY(mutex_);
  std::size_t oldest_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy::cpu
