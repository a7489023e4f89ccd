#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "support/random_program.hpp"
#include "support/sanitizers.hpp"
#include "support/test_memory.hpp"

namespace convoy::test {
namespace {

// Programs of one thread, one after the other, on streams it shares; empty when all went well.
std::string run_programs(std::span<const known_stream> streams, std::uint64_t first_seed,
                         int programs) {
  test_memory memory(64, 64);
  for (std::uint64_t seed = first_seed; seed != first_seed + programs; ++seed) {
    memory.refill(streams.front().ref, seed);
    random_program program(memory, streams, seed);
    program.submit_steps(60);
    program.finish();
    if (!program.problem().empty()) return program.problem();
    if (auto wrong = memory.first_difference(streams.front().ref); !wrong.empty()) return wrong;
  }
  return {};
}

void expect_predicted(std::span<const known_stream> streams, int threads) {
  std::vector<std::string> problems(threads);
  std::latch start(threads);
  {
    std::vector<std::jthread> running;
    for (int t = 0; t != threads; ++t) {
      running.emplace_back([&, t] {
        start.arrive_and_wait();
        problems[t] = run_programs(streams, 1000 * (t + 1), sanitized ? 20 : 400);
      });
    }
  }
  EXPECT_EQ(problems, std::vector<std::string>(threads));
}

TEST(SharedStreams, EightThreadsShareFourStreams) {
  const stream_set streams(1, 0);

  expect_predicted(streams.all(), 8);
}

TEST(SharedStreams, EightThreadsUseOwnStreams) {
  std::vector<std::string> problems(8);
  {
    std::vector<std::jthread> running;
    for (int t = 0; t != 8; ++t) {
      running.emplace_back([&, t] {
        const stream_set streams(1, 1);
        problems[t] = run_programs(streams.all(), 1000 * (t + 1), sanitized ? 20 : 400);
      });
    }
  }

  EXPECT_EQ(problems, std::vector<std::string>(8));
}

}  // namespace
}  // namespace convoy::test
