#include "cpu/rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace convoy::cpu {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t start = std::size_t{1} << 30;

struct stretch {
  std::size_t first = 0;
  std::size_t bytes = 0;
};

// Every part of the plan, unit by unit.
std::vector<stretch> parts_of_all_units(const row_plan& plan, const pitched& target) {
  std::vector<stretch> found;
  for (std::size_t unit = 0; unit != plan.units(); ++unit) {
    const range parts = plan.parts_of(unit);
    row_walk at(plan, parts.first);
    for (std::size_t part = parts.first; part != parts.last; ++part, at.step())
      found.push_back({reinterpret_cast<std::size_t>(at.address_in(target)), at.bytes()});
  }
  return found;
}

class RowPlan : public testing::TestWithParam<box> {};

TEST_P(RowPlan, EveryByteIsCoveredInOrder) {
  const box extent = GetParam();
  const pitched target{reinterpret_cast<void*>(start), extent.width + 64, extent.height + 3};
  const auto parts = parts_of_all_units(row_plan(extent), target);

  auto part = parts.begin();
  for (std::size_t row = 0; row != extent.height * extent.depth; ++row) {
    const std::size_t in_slices = row / extent.height * target.slice_rows + row % extent.height;
    for (std::size_t done = 0; done != extent.width; done += part++->bytes) {
      ASSERT_NE(part, parts.end());
      ASSERT_EQ(part->first, start + in_slices * target.pitch + done);
      ASSERT_LE(part->bytes, extent.width - done);
    }
  }
  EXPECT_EQ(part, parts.end());
}

INSTANTIATE_TEST_SUITE_P(Boxes, RowPlan,
                         testing::Values(box{1, 1, 1}, box{64, 1000, 1}, box{100, 7, 5},
                                         box{4 * kib, 3, 200}, box{255 * kib, 2, 2},
                                         box{256 * kib, 2, 2}, box{1500 * kib + 1, 3, 2}));

TEST(RowPlanUnits, AreBoundedForHugeBox) {
  const row_plan huge({256 * kib, 0x7fffffff, 16});

  EXPECT_LE(huge.units(), std::size_t{1} << 30);
  EXPECT_EQ(huge.parts_of(huge.units() - 1).last, huge.rows() * huge.parts_per_row());
}

TEST(RowPlanUnits, ShortRowsShareLongRowsSplit) {
  const row_plan with_short({64, 4096, 1});
  EXPECT_EQ(with_short.units(), 2U);

  const row_plan with_long({1024 * kib, 2, 1});
  EXPECT_EQ(with_long.units(), 16U);
  EXPECT_EQ(with_long.row_of(with_long.parts_of(8).first), 1U);
}

TEST(RowPlanUnits, ImpossibleSizeHasFewUnits) {
  EXPECT_LE(row_plan({std::size_t{1} << 60, 1, 1}).units(), 65536U);
}

TEST(RowPlanUnits, ElementsAreNotCut) {
  for (const std::size_t width : {std::size_t{300004}, std::size_t{20'000'000'004}}) {
    EXPECT_EQ(row_plan({width, 1, 1}).part_bytes() % 4096, 0U) << width;
  }
}

TEST(RowWalk, StepReachesTheNextSlice) {
  const row_plan plan({64, 10, 2});
  row_walk at(plan, 3);
  const pitched target{reinterpret_cast<void*>(start), 64, 16};

  EXPECT_EQ(at.in_line(), 7U);
  at.step(7);

  EXPECT_EQ(at.address_in(target), row_walk(plan, 10).address_in(target));
  EXPECT_EQ(at.in_line(), 10U);
}

}  // namespace
}  // namespace convoy::cpu
