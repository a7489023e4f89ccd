// convoy_bench_modes: the cost of isolation, tracing and metrics.
//
// Starts itself with and without each in turn and compares the medians.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "own_process.hpp"
#include "shared/median.hpp"

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t pool = std::size_t{256} << 20;

// Processes differ by a few percent, depending on the pages they get.
constexpr int rounds = 21;

// Every block of both pools once, in random order.
std::vector<copy> scattered(const buffer& dst, const buffer& src, std::size_t block) {
  std::vector<std::size_t> order(pool / block);
  for (std::size_t i = 0; i != order.size(); ++i) order[i] = i * block;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(block));
  std::vector<copy> made;
  for (std::size_t i = 0; i != order.size(); ++i) {
    made.push_back({dst.data() + order[i], src.data() + order[order.size() - 1 - i], block});
  }
  return made;
}

// GB/s, the median of a few batches in this process.
double rate(std::size_t block) {
  const auto queue = make_stream(device_id{0});
  const auto src = make_pinned_buffer(pool);
  const auto dst = make_device_buffer(device_id{0}, pool);
  if (!queue || !src || !dst) return 0;
  const std::vector<copy> batch = scattered(*dst, *src, block);
  std::vector<double> seconds;
  for (int i = 0; i != 7; ++i) {
    const auto start = clock::now();
    if (!submit(*queue, batch) || !queue->synchronize().ok()) return 0;
    seconds.push_back(std::chrono::duration<double>(clock::now() - start).count());
  }
  return pool / tools::median(seconds) / 1e9;
}

struct mode {
  const char* name;
  const char* variable;
  std::string value;
};

void compare(const mode& with, std::size_t block) {
  std::vector<double> plain;
  std::vector<double> special;
  for (int round = 0; round != rounds; ++round) {
    const std::string argument = std::to_string(block);
    plain.push_back(number_from_own_process(argument));
    special.push_back(number_from_own_process(with.variable, with.value, argument));
  }
  const double without_mode = tools::median(plain);
  const double with_mode = tools::median(special);
  fmt::print("{:>6} B blocks   plain {:6.2f} GB/s   {:<8} {:6.2f} GB/s   ratio {:.3f}\n", block,
             without_mode, with.name, with_mode, with_mode / without_mode);
}

}  // namespace
}  // namespace convoy::bench

int main(int argc, char** argv) {
  if (argc == 2) {
    fmt::print("{}\n", convoy::bench::rate(std::strtoull(argv[1], nullptr, 10)));
    return 0;
  }
  const std::string trace = fmt::format("/tmp/convoy_bench_{}.trace", ::getpid());
  for (const convoy::bench::mode& each :
       {convoy::bench::mode{"isolated", "CONVOY_ISOLATE", "1"},
        convoy::bench::mode{"traced", "CONVOY_TRACE", trace},
        convoy::bench::mode{"counted", "CONVOY_LOG", "summary"}}) {
    for (const std::size_t block : {1024, 4096, 65536}) convoy::bench::compare(each, block);
  }
  std::remove(trace.c_str());
}
