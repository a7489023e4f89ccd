// convoy_bench_oversubscription: the cost of more workers than CPUs.
//
// Rounds of one batch with a pause before each, in which the workers fall asleep: with 1 worker and
// with 64. The pauses do not count.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <convoy/convoy.hpp>
#include <string>
#include <thread>
#include <vector>

#include "own_process.hpp"
#include "shared/median.hpp"

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;
using milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr int rounds = 20;
constexpr int processes = 5;
constexpr double accepted_ratio = 1.5;

// Milliseconds for all rounds; 0 when one fails.
double time_of_rounds() {
  const auto queue = make_stream(device_id{0});
  const auto src = make_pinned_buffer(2 * mib);
  const auto dst = make_device_buffer(device_id{0}, 2 * mib);
  if (!queue || !src || !dst) return 0;
  const std::array batch{copy{dst->data(), src->data(), mib},
                         copy{dst->data() + mib, src->data() + mib, mib}};
  clock::duration sum{};
  for (int i = 0; i != rounds; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const auto start = clock::now();
    if (!submit(*queue, batch) || !queue->synchronize().ok()) return 0;
    sum += clock::now() - start;
  }
  return milliseconds(sum).count();
}

void compare(const std::string& workers) {
  std::vector<double> one;
  std::vector<double> many;
  for (int i = 0; i != processes; ++i) {
    one.push_back(number_from_own_process("CONVOY_WORKERS", "1", "rounds"));
    many.push_back(number_from_own_process("CONVOY_WORKERS", workers, "rounds"));
  }
  const double of_one = tools::median(one);
  const double of_many = tools::median(many);
  fmt::print(
      "{} rounds of 2 x 1 MiB   1 worker {:.2f} ms   {} workers {:.2f} ms   ratio {:.2f}{}\n",
      rounds, of_one, workers, of_many, of_many / of_one,
      of_many > accepted_ratio * of_one ? "   too slow" : "");
}

}  // namespace
}  // namespace convoy::bench

int main(int argc, char** /*unused*/) {
  if (argc == 1) {
    convoy::bench::compare("64");
  } else {
    fmt::print("{}\n", convoy::bench::time_of_rounds());
  }
}
