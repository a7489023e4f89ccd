#include "cpu/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace convoy::cpu {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

// Copies of these sizes: a plan does not depend on addresses.
class planned {
 public:
  explicit planned(const std::vector<std::size_t>& sizes) {
    for (const std::size_t bytes : sizes) {
      copies_.push_back({nullptr, nullptr, bytes});
      work_.totals.bytes += bytes;
      work_.totals.largest = std::max(work_.totals.largest, bytes);
    }
    work_.copies = copies_;
  }

  [[nodiscard]] plan made() const { return plan(work_); }

  // How many bytes of each copy the units of the plan hold.
  [[nodiscard]] std::vector<std::size_t> covered() const {
    const plan cut(work_);
    std::vector<std::size_t> bytes(copies_.size());
    for (std::size_t unit = 0; unit != cut.units(); ++unit) {
      if (unit < cut.pieces()) {
        const piece p = cut.piece_at(unit);
        EXPECT_EQ(p.offset, bytes[p.item]) << "a gap or an overlap in copy " << p.item;
        bytes[p.item] += p.bytes;
      } else {
        add_range(cut.range_at(unit), bytes);
      }
    }
    return bytes;
  }

 private:
  void add_range(const range& r, std::vector<std::size_t>& bytes) const {
    for (std::size_t item = r.first; item != r.last; ++item) {
      if (copies_[item].bytes < cut_threshold) bytes[item] += copies_[item].bytes;
    }
  }

  std::vector<copy> copies_;
  copy_work work_;
};

void expect_covered_once(const std::vector<std::size_t>& sizes) {
  EXPECT_EQ(planned(sizes).covered(), sizes);
}

TEST(Plan, EmptyBatchHasNoUnits) { EXPECT_EQ(planned({}).made().units(), 0U); }

TEST(Plan, SmallBatchIsOneUnit) {
  EXPECT_EQ(planned(std::vector<std::size_t>(100, 500)).made().units(), 1U);
}

TEST(Plan, LargeBatchHasManyUnits) {
  EXPECT_GT(planned(std::vector<std::size_t>(1000, 500)).made().units(), 4U);
}

TEST(Plan, BatchAtThresholdHasFewUnits) {
  EXPECT_EQ(planned(std::vector<std::size_t>(16, 4 * kib)).made().units(), 4U);
  EXPECT_EQ(planned(std::vector<std::size_t>(64, 4 * kib)).made().units(), 8U);
}

TEST(Plan, LargerBatchesHaveLargerUnits) {
  EXPECT_EQ(planned(std::vector<std::size_t>(8192, 4 * kib)).made().units(), 256U);
  EXPECT_EQ(planned(std::vector<std::size_t>(16384, 4 * kib)).made().units(), 256U);
  EXPECT_EQ(planned(std::vector<std::size_t>(32768, 4 * kib)).made().units(), 512U);
}

TEST(Plan, CutsLargeCopies) {
  EXPECT_EQ(planned({cut_threshold - 1}).made().pieces(), 0U);
  EXPECT_GE(planned({cut_threshold}).made().pieces(), 2U);
}

TEST(Plan, CoversEveryByteOnce) {
  expect_covered_once({1});
  expect_covered_once({share_threshold});
  expect_covered_once({cut_threshold - 1, cut_threshold, cut_threshold + 1});
  expect_covered_once({100 * mib + 13});
  expect_covered_once(std::vector<std::size_t>(4097, 64));
  expect_covered_once({0, 0, 70 * kib, 0});
  expect_covered_once({mib, 1, 2 * mib, 0, 3, 5 * mib + 1, 17});
}

TEST(Plan, RandomShapesAreCoveredOnce) {
  std::mt19937_64 random(11);
  for (int round = 0; round != 500; ++round) {
    std::vector<std::size_t> sizes(1 + random() % 300);
    const std::size_t most = std::size_t{1} << (random() % 22);
    for (std::size_t& each : sizes) each = random() % (most + 1);
    expect_covered_once(sizes);
  }
}

TEST(Plan, ImpossibleSizePlanStaysSmall) {
  EXPECT_LE(planned({std::size_t{1} << 60}).made().units(), 100'000U);
}

}  // namespace
}  // namespace convoy::cpu
