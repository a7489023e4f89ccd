#include "cpu/reuse_history.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace convoy::cpu {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mib = 1024 * 1024;

os::processor with_l3(std::size_t bytes) {
  os::processor made = os::this_processor();
  made.l3 = bytes;
  return made;
}

// 8 MiB with the same destination if `start` is the same.
footprint batch_at(std::uintptr_t start) {
  return {reinterpret_cast<void*>(start), reinterpret_cast<void*>(start + 4 * mib), 8 * mib};
}

class ReuseHistory : public testing::Test {
 protected:
  bool seen_recently(const footprint& area) { return reuse_.seen_recently(area, now_); }

  reuse_history reuse_{with_l3(256 * mib)};  // remembers 32 MiB, read and written
  os::clock::time_point now_ = os::clock::now();
  const footprint one_ = batch_at(0x10000000);
  const footprint other_ = batch_at(0x20000000);
  const footprint third_ = batch_at(0x30000000);
};

TEST_F(ReuseHistory, ImmediateRepeatIsSeen) {
  EXPECT_FALSE(seen_recently(one_));

  EXPECT_TRUE(seen_recently(one_));
  EXPECT_TRUE(seen_recently(one_));
}

TEST_F(ReuseHistory, OtherDestinationIsNew) {
  EXPECT_FALSE(seen_recently(one_));

  EXPECT_FALSE(seen_recently(other_));
}

TEST_F(ReuseHistory, ForgottenAfterManyBytes) {
  EXPECT_FALSE(seen_recently(one_));
  EXPECT_FALSE(seen_recently(other_));
  EXPECT_TRUE(seen_recently(one_));
  EXPECT_FALSE(seen_recently(third_));

  EXPECT_FALSE(seen_recently(other_));
}

TEST_F(ReuseHistory, ForgottenAfterSomeTime) {
  EXPECT_FALSE(seen_recently(one_));
  now_ += 10ms;

  EXPECT_FALSE(seen_recently(one_));
}

TEST_F(ReuseHistory, LargerThanCacheIsNeverSeen) {
  reuse_history small(with_l3(16 * mib));
  EXPECT_FALSE(small.seen_recently(one_, now_));

  EXPECT_FALSE(small.seen_recently(one_, now_));
}

}  // namespace
}  // namespace convoy::cpu
