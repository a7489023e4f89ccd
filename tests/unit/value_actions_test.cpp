#include "stream/value_actions.hpp"

#include <gtest/gtest.h>

namespace convoy {
namespace {

bool passes(std::uint64_t found, value_test test, std::uint64_t value, std::uint8_t bytes = 4) {
  return convoy::passes({nullptr, value, bytes}, test, found);
}

TEST(ValueTest, AtLeastWrapsAround) {
  EXPECT_TRUE(passes(5, value_test::at_least, 5));
  EXPECT_FALSE(passes(4, value_test::at_least, 5));
  EXPECT_TRUE(passes(2, value_test::at_least, 0xFFFFFFFF));
  EXPECT_FALSE(passes(0xFFFFFFFF, value_test::at_least, 2));
  EXPECT_TRUE(passes(2, value_test::at_least, ~std::uint64_t{0}, 8));
}

TEST(ValueTest, EqualComparesOnlyItsBytes) {
  EXPECT_TRUE(passes(5, value_test::equal, 0x100000005));
  EXPECT_FALSE(passes(5, value_test::equal, 0x100000005, 8));
}

TEST(ValueTest, AnyBitNeedsCommonBit) {
  EXPECT_TRUE(passes(6, value_test::any_bit, 2));
  EXPECT_FALSE(passes(6, value_test::any_bit, 9));
  EXPECT_FALSE(passes(0, value_test::any_bit, 0));
}

TEST(ValueTest, NotAllBitsNeedsClearBit) {
  EXPECT_TRUE(passes(0, value_test::not_all_bits, 0));
  EXPECT_FALSE(passes(0xFFFF0000, value_test::not_all_bits, 0xFFFF));
  EXPECT_TRUE(passes(0xFFFF0000, value_test::not_all_bits, 0xFFFF, 8));
}

}  // namespace
}  // namespace convoy
