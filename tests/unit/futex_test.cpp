#include "os/futex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace convoy::os {
namespace {

TEST(Futex, DoesNotSleepOnAWordThatChanged) {
  const std::atomic<std::uint32_t> word = 2;

  sleep_while(word, 1, {});
}

TEST(Futex, WakesAtTheDeadlineAtTheLatest) {
  const std::atomic<std::uint32_t> word = 1;
  const auto until = clock::now() + std::chrono::milliseconds(1);

  while (clock::now() < until) sleep_while(word, 1, until);
}

TEST(Futex, DoesNotSleepUntilADeadlineThatIsPast) {
  const std::atomic<std::uint32_t> word = 1;

  sleep_while(word, 1, clock::now() - std::chrono::seconds(1));
  sleep_while(word, 1, clock::time_point{});
}

TEST(Deadline, LiesSoFarFromNow) {
  const auto before = clock::now();
  const deadline made = deadline_after(std::chrono::hours(1));

  EXPECT_GE(*made, before + std::chrono::hours(1));
  EXPECT_LE(*made, clock::now() + std::chrono::hours(1));
}

TEST(Deadline, PastTheEndOfTheClockIsNone) {
  EXPECT_EQ(deadline_after(clock::duration::max()), std::nullopt);
}

TEST(Deadline, MayBePast) { EXPECT_LT(*deadline_after(std::chrono::hours(-1)), clock::now()); }

TEST(Futex, WakesWhoeverSleeps) {
  std::atomic<std::uint32_t> word = 0;
  const auto sleep_until_changed = [&] {
    while (word.load() == 0) sleep_while(word, 0, {});
  };
  std::jthread one(sleep_until_changed);
  std::jthread two(sleep_until_changed);

  word = 1;
  wake_all(word);
}

TEST(Futex, WakesOne) {
  std::atomic<std::uint32_t> word = 0;
  std::jthread one([&] {
    while (word.load() == 0) sleep_while(word, 0, {});
  });

  word = 1;
  wake_one(word);
}

}  // namespace
}  // namespace convoy::os
