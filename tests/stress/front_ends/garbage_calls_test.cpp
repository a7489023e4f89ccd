#include "support/garbage_calls.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/stress_options.hpp"

namespace convoy::test {
namespace {

// The first failures of so many calls, each child with a seed of its own.
std::string first_problems(std::uint64_t calls) {
  constexpr int in_a_child = 500;
  const std::uint64_t first = from_environment("STRESS_SEED", 1);
  const std::uint64_t count = from_environment("STRESS_CALLS", calls) / in_a_child;
  std::string problems;
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    const std::string problem = garbage_calls(static_cast<unsigned>(seed), in_a_child).problem();
    if (!problem.empty()) problems += problem + "\n";
  }
  return problems;
}

TEST(GarbageCalls, EveryExportedFunctionReturns) { EXPECT_EQ(first_problems(50'000), ""); }

}  // namespace
}  // namespace convoy::test
