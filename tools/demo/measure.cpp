#include "measure.hpp"

#include <algorithm>
#include <vector>

#include "must.hpp"
#include "os/process.hpp"

namespace convoy::demo {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

// The same moves in Convoy's memory and in the rivals'.
struct laboratory::copies_of_both {
  std::vector<copy> convoy;
  std::vector<copy> rivals;
};

// What the rounds gave, one value a round.
class laboratory::samples {
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

laboratory::laboratory(std::size_t cache_bytes, effort spent)
    : cache_bytes_(cache_bytes),
      effort_(spent),
      cache_(cache_bytes),
      rival_pages_(must(make_pinned_buffer(cache_bytes))),
      rival_store_(must(make_pinned_buffer(cache_bytes / 2))),
      crew_(os::processors()) {}

// Each round somebody else begins.
laboratory::times laboratory::compete(const copies_of_both& copies, int round,
                                      cpu::kernel_choice how) {
  times took;
  for (int turn = round; turn != round + 3; ++turn) {
    switch (turn % 3) {
      case 0: took.convoy = cache_.run(copies.convoy); break;
      case 1: took.memcpy_loop = run_memcpy_loop(copies.rivals); break;
      default: took.limit = run_bare_kernels(crew_, copies.rivals, how); break;
    }
  }
  return took;
}

row laboratory::measure(std::size_t block_bytes, const std::function<void(double)>& progress) {
  page_table table(cache_bytes_ / block_bytes);
  cache_.fill(table, block_bytes);
  const ends ours = cache_.where(block_bytes);
  const ends theirs{rival_pages_.data(), rival_store_.data(), block_bytes};
  const auto tried = page_table(table).next_round();
  const auto how = fastest_kernels(crew_, offload_copies(tried, theirs));

  samples seen;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round != effort_.most_rounds; ++round) {
    const auto moves = table.next_round();
    const times out =
        compete({offload_copies(moves, ours), offload_copies(moves, theirs)}, round, how);
    if (spoils_) cache_.spoil();
    const times back =
        compete({restore_copies(moves, ours), restore_copies(moves, theirs)}, round, how);
    cache_.verify(moves, block_bytes);

    seen.add(out, back);
    const seconds spent = std::chrono::steady_clock::now() - start;
    progress(std::max(spent / effort_.budget, (round + 1.0) / effort_.most_rounds));
    if (spent > effort_.budget && round + 1 >= effort_.least_rounds) break;
  }
  cache_.verify_all(table, block_bytes);
  return seen.medians(block_bytes, table.blocks() / 2);
}

}  // namespace convoy::demo
