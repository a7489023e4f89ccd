// One row of the table: a cache of one block size, offloaded and restored round after round.
//
// In every round Convoy, the memcpy loop and the bare kernels make the same moves one after
// another; ratios are taken within a round, so that other load affects all three alike. Each has
// memory of its own, so that none finds its data in a cache, and no baseline makes a copy that
// Convoy missed.
#pragma once

#include <cstddef>
#include <functional>

#include "cache.hpp"
#include "shared/bare_kernels.hpp"

namespace convoy::tools {

struct effort {
  int least_rounds = 5;
  int most_rounds = 99;
  seconds budget{5};  // for each block size
};

// Medians over the rounds.
struct row {
  std::size_t block_bytes = 0;
  std::size_t blocks = 0;  // moved in a round
  std::size_t rounds = 0;
  double offload_rate = 0;  // bytes per second
  double restore_rate = 0;
  double over_memcpy = 0;  // speed relative to the memcpy loop
  double of_limit = 0;     // speed relative to the bare kernels
};

class measurement {
 public:
  measurement(std::size_t cache_bytes, effort spent);

  // Throws when a byte is wrong. Calls progress(fraction done).
  row measure(std::size_t block_bytes, const std::function<void(double)>& progress);

  // From now on one byte is changed between offload and restore.
  void corrupt() { corrupts_ = true; }

 private:
  // Times of the three in one direction.
  struct times {
    seconds convoy{};
    seconds memcpy_loop{};
    seconds limit{};
  };
  struct copy_sets;
  class samples;
  times time_all(const copy_sets& copies, int round, cpu::kernel_choice kernels);

  const std::size_t cache_bytes_;
  const effort effort_;
  cache cache_;
  host_cache for_loop_;
  host_cache for_limit_;
  thread_team team_;
  bool corrupts_ = false;
};

}  // namespace convoy::tools
