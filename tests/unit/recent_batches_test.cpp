#include "cpu/recent_batches.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace convoy::cpu {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mib = 1024 * 1024;

os::processor with_l3(std::size_t bytes) {
  os::processor made = os::this_processor();
  made.l3 = bytes;
  return made;
}

// A batch of two copies of 4 MiB that go to the same place if `place` is the same.
class batch_at {
 public:
  explicit batch_at(std::uintptr_t place)
      : copies_{{reinterpret_cast<void*>(place), nullptr, 4 * mib},
                {reinterpret_cast<void*>(place + 4 * mib), nullptr, 4 * mib}} {}
  [[nodiscard]] copy_work work() const { return {copies_, 8 * mib, 4 * mib, 0}; }

 private:
  std::vector<copy> copies_;
};

class RecentBatches : public testing::Test {
 protected:
  bool come_back(const batch_at& which) { return recent_.come_back(which.work(), now_); }

  recent_batches recent_{with_l3(256 * mib)};  // remembers 32 MiB, read and written
  os::clock::time_point now_ = os::clock::now();
  const batch_at one_{0x10000000};
  const batch_at other_{0x20000000};
  const batch_at third_{0x30000000};
};

TEST_F(RecentBatches, AreKnownWhenTheyComeBackAtOnce) {
  EXPECT_FALSE(come_back(one_));

  EXPECT_TRUE(come_back(one_));
  EXPECT_TRUE(come_back(one_));
}

TEST_F(RecentBatches, ToAnotherPlaceAreNew) {
  EXPECT_FALSE(come_back(one_));

  EXPECT_FALSE(come_back(other_));
}

TEST_F(RecentBatches, AreForgottenWhenTooManyBytesWentBy) {
  EXPECT_FALSE(come_back(one_));
  EXPECT_FALSE(come_back(other_));
  EXPECT_TRUE(come_back(one_));
  EXPECT_FALSE(come_back(third_));

  EXPECT_FALSE(come_back(other_));
}

TEST_F(RecentBatches, AreForgottenAfterAWhile) {
  EXPECT_FALSE(come_back(one_));
  now_ += 10ms;

  EXPECT_FALSE(come_back(one_));
}

TEST_F(RecentBatches, LargerThanTheCacheAreNeverKnown) {
  recent_batches small(with_l3(16 * mib));
  EXPECT_FALSE(small.come_back(one_.work(), now_));

  EXPECT_FALSE(small.come_back(one_.work(), now_));
}

}  // namespace
}  // namespace convoy::cpu
