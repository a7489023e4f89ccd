#include "memory/range_allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace convoy::memory {
namespace {

// A slow reference: one flag for each granule.
class granule_model {
 public:
  explicit granule_model(std::size_t granules) : taken_(granules) {}

  std::optional<std::uint64_t> take(std::uint64_t wanted) {
    std::optional<std::uint64_t> best;
    std::uint64_t best_length = taken_.size() + 1;
    for (std::size_t start = 0; start < taken_.size();) {
      const std::uint64_t length = free_from(start);
      if (length >= wanted && length < best_length) {
        best = start;
        best_length = length;
      }
      start += std::max<std::uint64_t>(length, 1);
    }
    if (best) mark(*best, wanted, true);
    return best;
  }
  void give(std::uint64_t start, std::uint64_t granules) { mark(start, granules, false); }

 private:
  [[nodiscard]] std::uint64_t free_from(std::size_t start) const {
    const auto from = taken_.begin() + static_cast<std::ptrdiff_t>(start);
    return static_cast<std::uint64_t>(std::find(from, taken_.end(), true) - from);
  }
  void mark(std::uint64_t start, std::uint64_t granules, bool value) {
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(start), granules, value);
  }

  std::vector<bool> taken_;
};

TEST(RangeAllocator, StartsAtTheBottom) {
  range_allocator ranges(100);

  EXPECT_EQ(ranges.take(10), 0U);
  EXPECT_EQ(ranges.take(10), 10U);
}

TEST(RangeAllocator, AllocatesUpToTheWholeRange) {
  range_allocator ranges(100);

  EXPECT_EQ(ranges.take(101), std::nullopt);
  EXPECT_EQ(ranges.take(100), 0U);
  EXPECT_EQ(ranges.take(1), std::nullopt);
}

TEST(RangeAllocator, PrefersSmallestFittingHole) {
  range_allocator ranges(100);
  for (const std::uint64_t granules : {20, 5, 10, 5, 10, 5}) ranges.take(granules);
  ranges.give(0, 20);
  ranges.give(25, 10);
  ranges.give(40, 10);

  EXPECT_EQ(ranges.take(8), 25U);
  EXPECT_EQ(ranges.take(9), 40U);
  EXPECT_EQ(ranges.take(20), 0U);
}

TEST(RangeAllocator, FreedRangeJoinsBothNeighbours) {
  range_allocator ranges(30);
  for (int i = 0; i != 3; ++i) ranges.take(10);
  ranges.give(0, 10);
  ranges.give(20, 10);
  EXPECT_EQ(ranges.take(30), std::nullopt);

  ranges.give(10, 10);

  EXPECT_EQ(ranges.take(30), 0U);
}

TEST(RangeAllocator, AgreesWithReferenceModel) {
  std::mt19937_64 random(7);
  range_allocator ranges(500);
  granule_model model(500);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
  for (int i = 0; i != 20000; ++i) {
    if (random() % 2 == 0 && !taken.empty()) {
      std::swap(taken[random() % taken.size()], taken.back());
      const auto [start, granules] = taken.back();
      taken.pop_back();
      ranges.give(start, granules);
      model.give(start, granules);
      continue;
    }
    const std::uint64_t granules = 1 + random() % 40;
    const auto got = ranges.take(granules);
    ASSERT_EQ(got, model.take(granules)) << "in step " << i;
    if (got) taken.emplace_back(*got, granules);
  }
}

}  // namespace
}  // namespace convoy::memory
