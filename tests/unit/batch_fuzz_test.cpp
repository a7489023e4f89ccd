#include <gtest/gtest.h>

#include <convoy/status.hpp>
#include <random>
#include <set>
#include <vector>

#include "support/batch_trial.hpp"
#include "support/sanitizers.hpp"

namespace convoy::test {
namespace {

TEST(BatchFuzz, RandomBatchesFollowTheRules) {
  batch_trial trial;
  std::mt19937_64 random(2718);
  std::vector<std::uint8_t> input;
  for (int i = 0; i != (sanitized ? 50'000 : 200'000); ++i) {
    input.resize(random() % 160);
    for (std::uint8_t& each : input) each = static_cast<std::uint8_t>(random());
    ASSERT_EQ(trial.disagreement(input), "") << "in input " << i;
  }

  const std::set every_verdict{
      errc::ok,
      errc::invalid_argument,
      errc::null_pointer,
      errc::zero_size,
      errc::size_exceeds_capacity,
      errc::leaves_allocation,
      errc::not_an_allocation,
      errc::wrong_location,
      errc::wrong_direction,
      errc::mixed_directions,
      errc::no_peer_access,
      errc::invalid_runs,
      errc::invalid_access_order,
      errc::too_many_copies,
  };
  EXPECT_EQ(trial.verdicts(), every_verdict);
}

}  // namespace
}  // namespace convoy::test
