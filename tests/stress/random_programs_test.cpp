#include <gtest/gtest.h>

#include <convoy/device.hpp>
#include <cstdint>
#include <string>

#include "support/random_program.hpp"
#include "support/sanitizers.hpp"
#include "support/stress_options.hpp"
#include "support/test_memory.hpp"

namespace convoy::test {
namespace {

struct shape {
  std::size_t cells;
  std::size_t cell_bytes;
  int blocking;      // streams on each device
  int non_blocking;  // streams on each device
  int steps;
};

enum class ending { every_stream, every_device, streams_destroyed };

void finish(random_program& program, stream_set& streams, ending end) {
  if (end == ending::every_stream) return program.finish();
  if (end == ending::streams_destroyed) streams.destroy();
  for (const int number : {0, 1}) {
    const status outcome = device(device_id{number}).synchronize();
    EXPECT_TRUE(outcome.ok()) << explain(outcome);
  }
}

// What went wrong in the program with this seed; empty when nothing did.
std::string run_program(test_memory& memory, const shape& s, std::uint64_t seed) {
  stream_set streams(s.blocking, s.non_blocking);
  const stream_ref legacy = streams.all().front().ref;
  memory.refill(legacy, seed);
  random_program program(memory, streams.all(), seed);
  program.submit_steps(s.steps);
  finish(program, streams, static_cast<ending>(seed % 3));
  return program.problem().empty() ? memory.first_difference(legacy) : program.problem();
}

void expect_predicted(const shape& s, std::uint64_t programs) {
  test_memory memory(s.cells, s.cell_bytes);
  const std::uint64_t first = from_environment("STRESS_SEED", 1);
  const std::uint64_t count =
      from_environment("STRESS_PROGRAMS", sanitized ? programs / 8 : programs);
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    const std::string problem = run_program(memory, s, seed);
    ASSERT_EQ(problem, "") << "again with STRESS_SEED=" << seed << " STRESS_PROGRAMS=1";
  }
}

TEST(RandomPrograms, ManyStreamsMatchPrediction) { expect_predicted({128, 64, 4, 2, 60}, 4000); }

TEST(RandomPrograms, FewStreamsMatchPrediction) { expect_predicted({64, 256, 1, 1, 40}, 4000); }

TEST(RandomPrograms, NonBlockingStreamsMatchPrediction) {
  expect_predicted({128, 128, 0, 6, 60}, 1500);
}

TEST(RandomPrograms, LongProgramsMatchPrediction) { expect_predicted({256, 64, 3, 2, 400}, 300); }

TEST(RandomPrograms, SharedWorkMatchesPrediction) { expect_predicted({64, 4096, 2, 2, 50}, 400); }

TEST(RandomPrograms, LargeCopiesMatchPrediction) { expect_predicted({64, 65536, 2, 1, 40}, 40); }

}  // namespace
}  // namespace convoy::test
