#include "model/pitched_check.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/outcome.hpp"

namespace convoy::test {
namespace {

alignas(8) std::array<std::byte, 64> memory;

pitched side(std::size_t pitch, std::size_t per_slice = 0) {
  return {memory.data(), pitch, per_slice};
}

TEST(SpanBytes, EndsAtTheLastByte) {
  EXPECT_EQ(span_bytes(side(10), {7, 1, 1}), 7U);
  EXPECT_EQ(span_bytes(side(10), {7, 3, 1}), 27U);
  EXPECT_EQ(span_bytes(side(10), {7, 3, 2}), 57U);
  EXPECT_EQ(span_bytes(side(10, 5), {7, 3, 2}), 77U);
}

TEST(SpanBytes, OverflowIsNone) {
  EXPECT_EQ(span_bytes(side(SIZE_MAX / 2), {1, 4, 1}), std::nullopt);
  EXPECT_EQ(span_bytes(side(SIZE_MAX / 4), {1, 2, 4}), std::nullopt);
  EXPECT_EQ(span_bytes(side(2, SIZE_MAX), {1, 2, 2}), std::nullopt);
}

TEST(Box, ZeroExtentIsEmpty) {
  EXPECT_TRUE(is_empty({0, 1, 1}));
  EXPECT_TRUE(is_empty({1, 0, 1}));
  EXPECT_TRUE(is_empty({1, 1, 0}));
  EXPECT_FALSE(is_empty({1, 1, 1}));
}

TEST(SliceBytes, ZeroRowsMeansBoxHeight) {
  EXPECT_EQ(slice_bytes(side(10), {7, 3, 2}), 30U);
  EXPECT_EQ(slice_bytes(side(10, 4), {7, 3, 2}), 40U);
}

TEST(Pitched, NeedsAPointer) {
  EXPECT_EQ(check_pitched({}, {1, 1, 1}, copy_side::source),
            (status{errc::null_pointer, copy_side::source}));
}

TEST(Pitched, PitchHoldsOneRow) {
  EXPECT_OK(check_pitched(side(8), {8, 2, 1}, copy_side::source));
  EXPECT_EQ(check_pitched(side(7), {8, 2, 1}, copy_side::destination),
            (status{errc::invalid_pitch, copy_side::destination, {}, memory.data()}));
  EXPECT_ANSWER(check_pitched(side(7), {8, 1, 2}, copy_side::source), errc::invalid_pitch);
}

TEST(Pitched, OneRowNeedsNoPitch) {
  EXPECT_OK(check_pitched(side(0), {8, 1, 1}, copy_side::source));
}

TEST(Pitched, SlicesHoldTheirRows) {
  EXPECT_OK(check_pitched(side(8, 3), {8, 3, 2}, copy_side::source));
  EXPECT_ANSWER(check_pitched(side(8, 2), {8, 3, 2}, copy_side::source), errc::invalid_pitch);
  EXPECT_OK(check_pitched(side(8, 2), {8, 3, 1}, copy_side::source));
}

TEST(Pitched, RefusesOverflow) {
  EXPECT_ANSWER(check_pitched(side(SIZE_MAX / 2), {8, 9, 1}, copy_side::source),
                errc::invalid_argument);
}

TEST(Fill, UnitIsOneTwoOrFour) {
  for (const auto unit : std::to_array<std::uint8_t>({1, 2, 4})) {
    EXPECT_OK(check_fill({0, unit}, side(8), {8, 1, 1}));
  }
  for (const auto unit : std::to_array<std::uint8_t>({0, 3, 8})) {
    EXPECT_ANSWER(check_fill({0, unit}, side(8), {8, 1, 1}), errc::invalid_argument);
  }
}

TEST(Fill, StartWidthPitchAreWholeUnits) {
  const fill_pattern words{0, 4};
  pitched odd = side(8);
  odd.start = memory.data() + 2;

  EXPECT_OK(check_fill(words, side(12), {8, 2, 1}));
  EXPECT_ANSWER(check_fill(words, odd, {8, 1, 1}), errc::invalid_argument);
  EXPECT_ANSWER(check_fill(words, side(8), {6, 1, 1}), errc::invalid_argument);
  EXPECT_ANSWER(check_fill(words, side(10), {8, 2, 1}), errc::invalid_argument);
  EXPECT_OK(check_fill(words, side(10), {8, 1, 1}));
}

TEST(Fill, NeedsAGoodBox) {
  EXPECT_ANSWER(check_fill({0, 1}, side(4), {8, 2, 1}), errc::invalid_pitch);
  EXPECT_ANSWER(check_fill({0, 1}, {}, {8, 1, 1}), errc::null_pointer);
}

}  // namespace
}  // namespace convoy::test
