#include "os/futex.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "os/process.hpp"
#include "support/eventually.hpp"
#include "support/thread_state.hpp"

namespace convoy::os {
namespace {

using test::ends_in_time;
using test::eventually;

TEST(Futex, ChangedWordEndsSleepAtOnce) {
  EXPECT_TRUE(ends_in_time([] {
    const std::atomic<std::uint32_t> word = 2;
    sleep_while(word, 1, {});
  }));
}

TEST(Futex, SleepEndsAtDeadline) {
  EXPECT_TRUE(ends_in_time([] {
    const std::atomic<std::uint32_t> word = 1;
    const auto until = clock::now() + std::chrono::milliseconds(1);
    while (clock::now() < until) sleep_while(word, 1, until);
  }));
}

TEST(Futex, PastDeadlineEndsSleepAtOnce) {
  EXPECT_TRUE(ends_in_time([] {
    const std::atomic<std::uint32_t> word = 1;
    sleep_while(word, 1, clock::now() - std::chrono::seconds(1));
    sleep_while(word, 1, clock::time_point{});
  }));
}

TEST(Deadline, IsTimeoutFromNow) {
  const auto before = clock::now();
  const deadline made = deadline_after(std::chrono::hours(1));

  EXPECT_GE(*made, before + std::chrono::hours(1));
  EXPECT_LE(*made, clock::now() + std::chrono::hours(1));
}

TEST(Deadline, BeyondClockRangeIsNone) {
  EXPECT_EQ(deadline_after(clock::duration::max()), std::nullopt);
}

TEST(Deadline, NegativeTimeoutIsPast) {
  EXPECT_LT(*deadline_after(std::chrono::hours(-1)), clock::now());
}

// Two threads that sleep while a word is 0. They share ownership of their state, so
// that a test can end without them when they do not wake.
class two_sleepers {
 public:
  two_sleepers() {
    for (auto& id : shared_->ids) {
      std::thread([shared = shared_, &id] {
        id = thread_id();
        while (shared->word == 0) sleep_while(shared->word, 0, {});
        ++shared->awake;
      }).detach();
    }
  }

  [[nodiscard]] bool fall_asleep() const {
    return eventually([this] {
      for (const auto& id : shared_->ids) {
        if (id == 0 || !test::is_asleep(id)) return false;
      }
      return true;
    });
  }
  [[nodiscard]] bool wake_up(int count) const {
    return eventually([=, this] { return shared_->awake >= count; });
  }
  std::atomic<std::uint32_t>& word() { return shared_->word; }

 private:
  struct shared_state {
    std::atomic<std::uint32_t> word = 0;
    std::array<std::atomic<long>, 2> ids = {};
    std::atomic<int> awake = 0;
  };
  const std::shared_ptr<shared_state> shared_ = std::make_shared<shared_state>();
};

TEST(Futex, WakeAllWakesEverySleeper) {
  two_sleepers threads;
  ASSERT_TRUE(threads.fall_asleep());

  threads.word() = 1;
  wake_all(threads.word());

  EXPECT_TRUE(threads.wake_up(2));
}

TEST(Futex, WakeOneWakesOneSleeper) {
  two_sleepers threads;
  ASSERT_TRUE(threads.fall_asleep());

  threads.word() = 1;
  wake_one(threads.word());
  EXPECT_TRUE(threads.wake_up(1));

  wake_one(threads.word());
  EXPECT_TRUE(threads.wake_up(2));
}

}  // namespace
}  // namespace convoy::os
