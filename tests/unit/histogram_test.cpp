#include "observe/histogram.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace convoy {
namespace {

using namespace std::chrono_literals;

TEST(TimeHistogram, HasNoQuantilesWhenEmpty) {
  const histogram none;

  EXPECT_EQ(none.quantile(0.5), 0ns);
  EXPECT_EQ(none.total(), 0ns);
}

TEST(TimeHistogram, SmallValuesAreExact) {
  histogram seen;
  for (int i = 0; i != 20; ++i) seen.add(std::chrono::nanoseconds(i));

  EXPECT_EQ(seen.quantile(0.5), 9ns);
  EXPECT_EQ(seen.total(), 190ns);
}

TEST(TimeHistogram, QuantilesAreWithinFewPercent) {
  histogram seen;
  for (int i = 1; i <= 1000; ++i) seen.add(std::chrono::microseconds(i));

  EXPECT_NEAR(static_cast<double>(seen.quantile(0.5).count()), 500e3, 500e3 * 0.035);
  EXPECT_NEAR(static_cast<double>(seen.quantile(0.9).count()), 900e3, 900e3 * 0.035);
  EXPECT_NEAR(static_cast<double>(seen.quantile(0.99).count()), 990e3, 990e3 * 0.035);
}

TEST(TimeHistogram, AcceptsExtremeAndNegativeTimes) {
  histogram seen;
  seen.add(1000h);
  seen.add(-5ns);

  EXPECT_EQ(seen.quantile(0.5), 0ns);
  EXPECT_GT(seen.quantile(1.0), 1h);
}

TEST(TimeHistogram, ConcurrentAddsAreAllCounted) {
  histogram seen;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i != 1000; ++i) seen.add(3ns);
    });
  }
  for (std::thread& each : threads) each.join();

  EXPECT_EQ(seen.total(), 12000ns);
}

}  // namespace
}  // namespace convoy
