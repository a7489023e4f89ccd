#include "threads/sleeping_threads.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <latch>
#include <thread>
#include <vector>

#include "support/eventually.hpp"

namespace convoy::threads {
namespace {

constexpr int count = 6;

// Threads that are asleep, and stay awake once they are woken.
class SleepingThreads : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i != count; ++i) {
      subject_.count_started();
      threads_.emplace_back([this, i] {
        subject_.sleep_while_idle(static_cast<std::size_t>(i), {}, [] { return true; });
        end_.wait();
      });
    }
    ASSERT_TRUE(test::eventually([this] { return subject_.awake() == 0; }));
  }

  void TearDown() override {
    end_.count_down();
    subject_.wake_all();
  }

  sleeping_threads subject_{count};
  std::latch end_{1};
  std::vector<std::jthread> threads_;
};

TEST_F(SleepingThreads, WakesAsManyAsAreAsked) {
  subject_.wake(2, INT_MAX);
  EXPECT_EQ(subject_.awake(), 2);

  subject_.wake_elsewhere(3, INT_MAX);
  EXPECT_EQ(subject_.awake(), 5);

  subject_.wake(0, INT_MAX);
  EXPECT_EQ(subject_.awake(), 5);
}

TEST_F(SleepingThreads, WakesNoneBeyondTheLimit) {
  subject_.wake(count, 3);
  EXPECT_EQ(subject_.awake(), 3);

  subject_.wake_elsewhere(count, 3);
  EXPECT_EQ(subject_.awake(), 3);

  subject_.wake(1, 0);
  EXPECT_EQ(subject_.awake(), 3);
}

TEST_F(SleepingThreads, WakeAllHasNoLimit) {
  subject_.wake_all();

  EXPECT_EQ(subject_.awake(), count);
}

TEST(SleepingThread, StaysAwakeWhileThereIsWork) {
  EXPECT_TRUE(test::ends_in_time([] {
    sleeping_threads subject(1);
    subject.count_started();

    subject.sleep_while_idle(0, {}, [&] {
      EXPECT_EQ(subject.awake(), 0);
      return false;
    });

    EXPECT_EQ(subject.awake(), 1);
  }));
}

TEST(SleepingThread, AwakesAtTheDeadline) {
  EXPECT_TRUE(test::ends_in_time([] {
    sleeping_threads subject(1);
    subject.count_started();

    subject.sleep_while_idle(0, os::clock::now(), [] { return true; });

    EXPECT_EQ(subject.awake(), 1);
  }));
}

}  // namespace
}  // namespace convoy::threads
