// convoy_bench_modes: what isolation costs.
//
// Isolation is chosen once for a process, so this program runs itself with and without it in turn
// and compares the medians.

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

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t pool = std::size_t{256} << 20;

// Blocks of both pools, each once, in random order.
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

// GB/s of the median of a few batches in this process.
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
  std::sort(seconds.begin(), seconds.end());
  return pool / seconds[seconds.size() / 2] / 1e9;
}

double rate_in_own_process(const char* isolate, std::size_t block) {
  ::setenv("CONVOY_ISOLATE", isolate, 1);
  const std::string command = fmt::format("/proc/{}/exe {}", ::getpid(), block);
  std::FILE* const child = ::popen(command.c_str(), "r");
  double answer = 0;
  if (child == nullptr || std::fscanf(child, "%lf", &answer) != 1) answer = 0;
  if (child != nullptr) ::pclose(child);
  return answer;
}

void compare(std::size_t block) {
  std::vector<double> fast;
  std::vector<double> isolated;
  for (int round = 0; round != 5; ++round) {
    fast.push_back(rate_in_own_process("0", block));
    isolated.push_back(rate_in_own_process("1", block));
  }
  std::sort(fast.begin(), fast.end());
  std::sort(isolated.begin(), isolated.end());
  fmt::print("{:>6} B blocks   fast {:6.2f} GB/s   isolated {:6.2f} GB/s   ratio {:.2f}\n", block,
             fast[2], isolated[2], isolated[2] / fast[2]);
}

}  // namespace
}  // namespace convoy::bench

int main(int argc, char** argv) {
  if (argc == 2) {
    fmt::print("{}\n", convoy::bench::rate(std::strtoull(argv[1], nullptr, 10)));
    return 0;
  }
  for (const std::size_t block : {256, 4096, 65536}) convoy::bench::compare(block);
}
