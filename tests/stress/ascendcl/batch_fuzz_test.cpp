#include <random>
#include <set>
#include <vector>

#include "support/acl_batch_trial.hpp"
#include "support/sanitizers.hpp"

namespace convoy::test {
namespace {

class AclBatchFuzz : public AclTest {};

TEST_F(AclBatchFuzz, RandomBatchesAreAllOrNothing) {
  acl_batch_trial trial;
  std::mt19937_64 random(3141);
  std::vector<std::uint8_t> input;
  for (int i = 0; i != (sanitized ? 5'000 : 20'000); ++i) {
    input.resize(random() % 160);
    for (std::uint8_t& each : input) each = static_cast<std::uint8_t>(random());
    ASSERT_EQ(trial.problem(input), "") << "in input " << i;
  }

  const std::set<aclError> every_answer{ACL_SUCCESS, ACL_ERROR_INVALID_PARAM,
                                        ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_INVALID_HANDLE};
  EXPECT_EQ(trial.answers(), every_answer);
}

}  // namespace
}  // namespace convoy::test
