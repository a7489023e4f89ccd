// One line of the table: a cache of one block size, out and back, round after round.
//
// Every round gives Convoy, the memcpy loop and the bare kernels the same moves one after another,
// and ratios are taken within a round: what disturbs the machine for a while disturbs all three.
// Each copies in memory of its own, so that none finds the caches warmed by another, and no copy of
// a rival's makes up for one that Convoy missed.
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
  double over_memcpy = 0;  // how many times as fast as the memcpy loop
  double of_limit = 0;     // the part of the bare kernels' speed that is left
};

class measurement {
 public:
  measurement(std::size_t cache_bytes, effort spent);

  // Throws when a byte is wrong. Tells `progress` the part that is done, from 0 to 1.
  row measure(std::size_t block_bytes, const std::function<void(double)>& progress);

  // From now on, one byte changes on its way.
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
