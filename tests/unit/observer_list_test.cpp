#include "observe/observer_list.hpp"

#include <gtest/gtest.h>

#include "support/recording_observer.hpp"

namespace convoy {
namespace {

using test::recording_observer;

TEST(FanOut, TellsEveryObserverEverything) {
  recording_observer first;
  recording_observer second;
  fan_out both({&first, &second});
  const step_place step{.stream = 2, .at = ticket{5}};

  both.submitted(step);
  both.started(step);
  both.landed(step, {errc::fault});

  EXPECT_EQ(first.text(), "submitted:2.5 started:2.5 fault:2.5");
  EXPECT_EQ(second.text(), first.text());
}

TEST(FanOut, IsNobodyWhenItHasNobody) { EXPECT_EQ(fan_out({}).shortest(), nullptr); }

TEST(FanOut, StandsAsideForALoneObserver) {
  recording_observer only;
  fan_out one({&only});

  EXPECT_EQ(one.shortest(), &only);
}

TEST(FanOut, StandsForSeveral) {
  recording_observer first;
  recording_observer second;
  fan_out both({&first, &second});

  EXPECT_EQ(both.shortest(), &both);
}

}  // namespace
}  // namespace convoy
