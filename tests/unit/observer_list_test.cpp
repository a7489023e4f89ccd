#include "observe/observer_list.hpp"

#include <gtest/gtest.h>

#include "support/recording_observer.hpp"

namespace convoy {
namespace {

using test::recording_observer;

TEST(ObserverList, EveryObserverGetsEveryCall) {
  recording_observer first;
  recording_observer second;
  observer_list both({&first, &second});
  const observed_step step{.stream = 2, .position = ticket{5}};

  both.submitted(step);
  both.started(step);
  both.landed(step, {errc::fault});

  EXPECT_EQ(first.text(), "submitted:2.5 started:2.5 fault:2.5");
  EXPECT_EQ(second.text(), first.text());
}

TEST(ObserverList, EmptyListHasNoObserver) { EXPECT_EQ(observer_list({}).as_observer(), nullptr); }

TEST(ObserverList, SingleObserverIsCalledDirectly) {
  recording_observer only;
  observer_list one({&only});

  EXPECT_EQ(one.as_observer(), &only);
}

TEST(ObserverList, ListForwardsToSeveralObservers) {
  recording_observer first;
  recording_observer second;
  observer_list both({&first, &second});

  EXPECT_EQ(both.as_observer(), &both);
}

}  // namespace
}  // namespace convoy
