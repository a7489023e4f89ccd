#include "threads/spin_policy.hpp"

#include <gtest/gtest.h>

namespace convoy::threads {
namespace {

using namespace std::chrono_literals;

TEST(SpinPolicy, FirstSpinIsShort) {
  EXPECT_EQ(spin_policy{}.spin_time(), spin_policy::shortest_spin);
}

TEST(SpinPolicy, SpinCoversRecentPauses) {
  spin_policy policy;
  policy.work_after(600us);

  EXPECT_EQ(policy.spin_time(), 900us);
}

TEST(SpinPolicy, LongerPauseOutweighsShorterOnes) {
  spin_policy policy;
  policy.work_after(600us);
  policy.work_after(2us);
  policy.work_after(1us);

  EXPECT_EQ(policy.spin_time(), 900us);
}

TEST(SpinPolicy, OldPauseIsForgotten) {
  spin_policy policy;
  policy.work_after(600us);
  for (int i = 0; i != 4; ++i) policy.work_after(300us);

  EXPECT_EQ(policy.spin_time(), 450us);
}

TEST(SpinPolicy, LongPausesAreNotCovered) {
  spin_policy policy;
  policy.work_after(spin_policy::longest_pause + 1ns);

  EXPECT_EQ(policy.spin_time(), spin_policy::shortest_spin);
}

TEST(SpinPolicy, OneMissEndsSpinning) {
  spin_policy policy;
  policy.work_after(600us);
  policy.missed();

  EXPECT_EQ(policy.spin_time(), spin_policy::shortest_spin);
}

}  // namespace
}  // namespace convoy::threads
