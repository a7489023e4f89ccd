// Recent large batches, whose destinations may still be in the cache.
//
// A program that fills the same buffers repeatedly, and reads them in between, is faster with
// ordinary stores, which stay in the cache. A repeated destination is the sign of such a program.
#pragma once

#include <array>
#include <cstddef>

#include "base/mutex.hpp"
#include "os/cpu_features.hpp"
#include "os/futex.hpp"

namespace convoy::cpu {

// The first and the last destination of a batch, and its bytes.
struct footprint {
  const void* first = nullptr;
  const void* last = nullptr;
  std::size_t bytes = 0;

  friend bool operator==(const footprint&, const footprint&) = default;
};

class reuse_history {
 public:
  explicit reuse_history(const os::processor& cpu);

  // Adds the batch. True when the same destinations were written before, and too few bytes and too
  // little time have passed for the cache to have lost them.
  bool seen_recently(const footprint& area, os::clock::time_point now);

 private:
  struct batch_record {
    footprint area;
    std::size_t total_bytes = 0;  // total_bytes_ after the batch
    os::clock::time_point time;
  };

  const std::size_t max_bytes_;
  mutex mutex_;
  std::size_t total_bytes_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::array<batch_record, 8> batches_ CONVOY_GUARDED_BY(mutex_);
  std::size_t oldest_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy::cpu
