#include "base/mutex.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

#include "support/eventually.hpp"

namespace convoy {
namespace {

TEST(Mutex, BriefTryFailsWhileLocked) {
  mutex subject;
  {
    const lock held(subject);
    EXPECT_FALSE(subject.try_lock_briefly());
  }
  ASSERT_TRUE(subject.try_lock_briefly());
  EXPECT_FALSE(subject.try_lock_briefly());
  subject.unlock_briefly();
}

TEST(Mutex, BriefHolderExcludesOthers) {
  EXPECT_TRUE(test::ends_in_time([] {
    mutex subject;
    int value = 0;  // guarded by the mutex
    std::latch trying(1);
    ASSERT_TRUE(subject.try_lock_briefly());
    std::jthread other([&] {
      trying.count_down();
      const lock held(subject);
      EXPECT_EQ(value, 1);
      value = 2;
    });
    trying.wait();
    value = 1;
    subject.unlock_briefly();

    other.join();
    const lock held(subject);
    EXPECT_EQ(value, 2);
  }));
}

// Sleeping and brief holders in turn: no wake-up is lost, and one thread at a time has the lock.
TEST(Mutex, BriefAndOrdinaryHoldersAreExclusive) {
  EXPECT_TRUE(test::ends_in_time([] {
    constexpr int rounds = 20000;
    mutex subject;
    std::int64_t sum = 0;  // guarded by the mutex
    std::vector<std::jthread> threads;
    for (int t = 0; t != 4; ++t) {
      threads.emplace_back([&, brief = t % 2 == 0] {
        for (int i = 0; i != rounds; ++i) {
          if (brief && subject.try_lock_briefly()) {
            ++sum;
            subject.unlock_briefly();
          } else {
            const lock held(subject);
            ++sum;
            if (i % 64 == 0) std::this_thread::yield();  // long enough for others to fall asleep
          }
        }
      });
    }
    threads.clear();

    const lock held(subject);
    EXPECT_EQ(sum, 4 * rounds);
  }));
}

}  // namespace
}  // namespace convoy
