#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;

class Metrics : public testing::Test {
 protected:
  Metrics() { EXPECT_OK(enable_metrics()); }
  ~Metrics() override { EXPECT_OK(disable_metrics()); }

  // The metrics since the test began.
  [[nodiscard]] metrics counted() const {
    metrics now = must(read_metrics());
    now.batches -= before_.batches;
    now.copies -= before_.copies;
    now.bytes -= before_.bytes;
    now.failures -= before_.failures;
    return now;
  }

  const metrics before_ = must(read_metrics());
  const stream stream_ = new_stream();
  bytes here_ = numbered(4096);
  bytes there_ = zeros(4096);
};

TEST_F(Metrics, DisabledMetricsCountNothing) {
  EXPECT_OK(disable_metrics());

  EXPECT_OK(copy_sync(stream_, {there_.data(), here_.data(), 64}));

  EXPECT_EQ(counted().batches, 0U);
}

TEST_F(Metrics, DisablingStopsCounting) {
  EXPECT_OK(copy_sync(stream_, {there_.data(), here_.data(), 64}));
  EXPECT_OK(disable_metrics());

  EXPECT_OK(copy_sync(stream_, {there_.data(), here_.data(), 64}));

  EXPECT_EQ(counted().batches, 1U);
}

TEST_F(Metrics, CountBatchesCopiesAndBytes) {
  const std::vector<copy> three{{there_.data(), here_.data(), 10},
                                {there_.data() + 10, here_.data(), 20},
                                {there_.data() + 30, here_.data(), 30}};
  EXPECT_OK(submit(stream_, three));
  EXPECT_OK(fill(stream_, there_.data(), 100, {7}));
  EXPECT_OK(stream_.synchronize());

  const metrics seen = counted();

  EXPECT_EQ(seen.batches, 2U);
  EXPECT_EQ(seen.copies, 4U);
  EXPECT_EQ(seen.bytes, 160U);
}

TEST_F(Metrics, CountReductions) {
  EXPECT_OK(reduce(stream_, {there_.data(), here_.data(), 100, reduce_kind::max, element::int16}));
  EXPECT_OK(stream_.synchronize());

  EXPECT_EQ(counted().batches, 1U);
  EXPECT_EQ(counted().bytes, 100U);
}

TEST_F(Metrics, StepsWithoutBytesAreNotCounted) {
  const event reached = must(make_event(first_device));
  EXPECT_OK(record(stream_, reached));
  EXPECT_OK(call(stream_, [] {}));
  EXPECT_OK(stream_.synchronize());

  EXPECT_EQ(counted().batches, 0U);
}

TEST_F(Metrics, CountFailures) {
  const unmapped_page unmapped;
  EXPECT_ANSWER(copy_sync(stream_, {there_.data(), unmapped.data(), 64}), errc::fault);

  EXPECT_EQ(counted().failures, 1U);
}

TEST_F(Metrics, QueueAndCopyTimeAreSeparate) {
  gate closed(stream_);
  EXPECT_OK(submit(stream_, copy{there_.data(), here_.data(), 64}));
  const auto queued = std::chrono::steady_clock::now();
  closed.wait_for_arrival();
  const auto still_queued = std::chrono::steady_clock::now();
  closed.open();
  EXPECT_OK(stream_.synchronize());

  const metrics seen = counted();

  EXPECT_GE(seen.queued.total - before_.queued.total, still_queued - queued);
  EXPECT_GT(seen.copying.total, before_.copying.total);
}

TEST_F(Metrics, DescribePrintsTotals) {
  const metrics some{.batches = 3, .copies = 12, .bytes = 2'000'000'000, .failures = 1};

  const std::string text = describe(some);

  EXPECT_NE(text.find("3 batches, 12 copies, 2.000 GB"), std::string::npos) << text;
  EXPECT_NE(text.find("1 failed"), std::string::npos) << text;
}

}  // namespace
}  // namespace convoy
