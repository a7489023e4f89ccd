#include <gtest/gtest.h>

#include "support/mixed_program.hpp"
#include "support/sanitizers.hpp"
#include "support/stress_options.hpp"

namespace convoy::test {
namespace {

std::string run_program(std::size_t threads, std::uint64_t seed) {
  mixed_program program(threads, seed);
  program.run(6, 20);
  return program.problem();
}

void expect_predicted(std::size_t threads, std::uint64_t programs) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const std::uint64_t first = from_environment("STRESS_SEED", 1);
  const std::uint64_t count =
      from_environment("STRESS_PROGRAMS", sanitized ? programs / 8 : programs);
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    ASSERT_EQ(run_program(threads, seed), "")
        << "again with STRESS_SEED=" << seed << " STRESS_PROGRAMS=1";
  }
}

TEST(MixedPrograms, OneThreadMatchesPrediction) { expect_predicted(1, 80); }

TEST(MixedPrograms, FourThreadsMatchPrediction) { expect_predicted(4, 80); }

}  // namespace
}  // namespace convoy::test
