#include "memory/registered_ranges.hpp"

#include <gtest/gtest.h>

namespace convoy::memory {
namespace {

class RegisteredRanges : public testing::Test {
 protected:
  void expect_region(std::uintptr_t address, std::uintptr_t start, std::uintptr_t end,
                     bool registered) const {
    const auto found = ranges_.region_of(address);
    EXPECT_EQ(found.extent.start, start) << address;
    EXPECT_EQ(found.extent.end, end) << address;
    EXPECT_EQ(found.registered, registered) << address;
  }

  registered_ranges ranges_;
};

TEST_F(RegisteredRanges, EmptyTableIsOneGap) { expect_region(500, 0, UINTPTR_MAX, false); }

TEST_F(RegisteredRanges, FindAnswersRangeOrGap) {
  EXPECT_TRUE(ranges_.add({100, 200}));
  EXPECT_TRUE(ranges_.add({300, 400}));

  expect_region(0, 0, 100, false);
  expect_region(99, 0, 100, false);
  expect_region(100, 100, 200, true);
  expect_region(199, 100, 200, true);
  expect_region(200, 200, 300, false);
  expect_region(399, 300, 400, true);
  expect_region(400, 400, UINTPTR_MAX, false);
}

TEST_F(RegisteredRanges, OverlapIsRefused) {
  EXPECT_TRUE(ranges_.add({100, 200}));

  EXPECT_FALSE(ranges_.add({100, 200}));
  EXPECT_FALSE(ranges_.add({50, 101}));
  EXPECT_FALSE(ranges_.add({199, 300}));
  EXPECT_FALSE(ranges_.add({50, 300}));
  EXPECT_FALSE(ranges_.add({120, 130}));
}

TEST_F(RegisteredRanges, AdjacentRangesAreAllowed) {
  EXPECT_TRUE(ranges_.add({100, 200}));
  EXPECT_TRUE(ranges_.add({200, 300}));
  EXPECT_TRUE(ranges_.add({50, 100}));

  expect_region(200, 200, 300, true);
}

TEST_F(RegisteredRanges, RemoveNeedsTheStart) {
  EXPECT_TRUE(ranges_.add({100, 200}));

  EXPECT_FALSE(ranges_.remove(150));
  EXPECT_TRUE(ranges_.remove(100));
  EXPECT_FALSE(ranges_.remove(100));
  expect_region(150, 0, UINTPTR_MAX, false);
}

}  // namespace
}  // namespace convoy::memory
