// Shared by the benchmarks of single calls: a stream that is held, so that nothing runs beside the
// calls, scattered batches to submit to it, and the statistic that is reported.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <cstddef>
#include <cstdlib>
#include <future>
#include <random>
#include <utility>
#include <vector>

namespace convoy::bench {

[[noreturn]] inline void stop(const char* problem) {
  fmt::print(stderr, "{}\n", problem);
  std::exit(1);
}

inline void expect(const status& outcome) {
  if (!outcome.ok()) stop(explain(outcome).c_str());
}

template <class T>
T expect(result<T> made) {
  expect(made.error());
  return *std::move(made);
}

// Holds a stream by a step that waits until the object is destroyed; later steps are then dropped.
class held_stream {
 public:
  explicit held_stream(stream_ref stream) : stream_(stream) {
    expect(call(stream_, [&] {
      arrived_.set_value();
      opened_.get_future().wait();
    }));
    arrived_.get_future().wait();
  }
  ~held_stream() {
    drop_steps();
    opened_.set_value();
    static_cast<void>(stream_.synchronize());
  }
  held_stream(const held_stream&) = delete;
  held_stream& operator=(const held_stream&) = delete;

  [[nodiscard]] stream_ref get() const { return stream_; }
  void drop_steps() const { static_cast<void>(stream_.abort()); }

 private:
  std::promise<void> opened_;
  std::promise<void> arrived_;
  stream_ref stream_;
};

// Copies of 64 bytes between random positions of two ranges of `bytes`.
struct scattered_batch {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<std::size_t> sizes;

  scattered_batch(std::byte* dst, std::byte* src, std::size_t bytes, std::size_t count) {
    constexpr std::size_t block = 64;
    std::mt19937_64 random(count);
    sizes.assign(count, block);
    for (std::size_t i = 0; i != count; ++i) {
      dsts.push_back(dst + random() % (bytes / block) * block);
      srcs.push_back(src + random() % (bytes / block) * block);
    }
  }

  [[nodiscard]] std::span<const void* const> sources() const { return {srcs.data(), srcs.size()}; }
};

// Of several calls in a row: reading the clock after each would keep the CPU from overlapping one
// call with the next, as it does in programs.
template <class Call>
double nanoseconds_per_call(int calls, const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i != calls; ++i) call();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / calls;
}

// The tenth percentile of many short rounds: other load on the machine only ever adds time.
inline double best_tenth(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 10];
}

}  // namespace convoy::bench
