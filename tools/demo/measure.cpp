#include "measure.hpp"

#include <algorithm>
#include <vector>

#include "os/process.hpp"
#include "shared/median.hpp"

namespace convoy::tools {
namespace {

seconds time_memcpy(std::span<const copy> copies) {
  const auto start = std::chrono::steady_clock::now();
  copy_with_memcpy(copies);
  return std::chrono::steady_clock::now() - start;
}

}  // namespace

// The same copies in the memory of each.
struct measurement::copy_sets {
  std::vector<copy> for_convoy;
  std::vector<copy> for_loop;
  split_batch for_limit;
};

// The results, one value for each round.
class measurement::samples {
 public:
  void add(const times& out, const times& back) {
    const seconds both = out.convoy + back.convoy;
    offload_.push_back(out.convoy.count());
    restore_.push_back(back.convoy.count());
    over_memcpy_.push_back((out.memcpy_loop + back.memcpy_loop) / both);
    of_limit_.push_back((out.limit + back.limit) / both);
  }

  [[nodiscard]] row medians(std::size_t block_bytes, std::size_t blocks) const {
    const auto bytes = static_cast<double>(blocks * block_bytes);
    return {.block_bytes = block_bytes,
            .blocks = blocks,
            .rounds = offload_.size(),
            .offload_rate = bytes / median(offload_),
            .restore_rate = bytes / median(restore_),
            .over_memcpy = median(over_memcpy_),
            .of_limit = median(of_limit_)};
  }

 private:
  std::vector<double> offload_;
  std::vector<double> restore_;
  std::vector<double> over_memcpy_;
  std::vector<double> of_limit_;
};

measurement::measurement(std::size_t cache_bytes, effort spent)
    : cache_bytes_(cache_bytes),
      effort_(spent),
      cache_(cache_bytes),
      for_loop_(cache_bytes),
      for_limit_(cache_bytes),
      team_(os::cpu_count()) {}

// Each round starts with another of the three.
measurement::times measurement::time_all(const copy_sets& copies, int round,
                                         cpu::kernel_choice kernels) {
  times took;
  for (int turn = round; turn != round + 3; ++turn) {
    switch (turn % 3) {
      case 0: took.convoy = cache_.run(copies.for_convoy); break;
      case 1: took.memcpy_loop = time_memcpy(copies.for_loop); break;
      default: took.limit = time_together(team_, copies.for_limit, kernels); break;
    }
  }
  return took;
}

row measurement::measure(std::size_t block_bytes, const std::function<void(double)>& progress) {
  page_table table(cache_bytes_ / block_bytes);
  cache_.fill(table, block_bytes);
  const cache_memory convoys = cache_.memory(block_bytes);
  const cache_memory loops = for_loop_.memory(block_bytes);
  const cache_memory limits = for_limit_.memory(block_bytes);
  const auto kernels =
      fastest_kernels(team_, offload_copies(page_table(table).next_round(), limits));

  samples seen;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round != effort_.most_rounds; ++round) {
    const auto moves = table.next_round();
    const copy_sets offload{offload_copies(moves, convoys), offload_copies(moves, loops),
                            split(offload_copies(moves, limits))};
    const copy_sets restore{restore_copies(moves, convoys), restore_copies(moves, loops),
                            split(restore_copies(moves, limits))};
    const times out = time_all(offload, round, kernels);
    if (corrupts_) cache_.corrupt();
    const times back = time_all(restore, round, kernels);
    cache_.verify(moves, block_bytes);

    seen.add(out, back);
    const seconds spent = std::chrono::steady_clock::now() - start;
    progress(std::max(spent / effort_.budget, (round + 1.0) / effort_.most_rounds));
    if (spent > effort_.budget && round + 1 >= effort_.least_rounds) break;
  }
  cache_.verify_all(table, block_bytes);
  return seen.medians(block_bytes, moved_part(table.blocks()));
}

}  // namespace convoy::tools
