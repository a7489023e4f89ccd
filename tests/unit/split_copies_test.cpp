#include "stream/split_copies.hpp"

#include <gtest/gtest.h>

#include "cpu/cpu_device.hpp"
#include "support/contents.hpp"
#include "support/finish.hpp"
#include "support/late_device.hpp"

namespace convoy {
namespace {

using namespace test;

class SplitCopies : public testing::Test {
 protected:
  // Items 0 and 2 for the first port, 1 and 3 for the second.
  std::unique_ptr<split_copies> make(device_port& first, device_port& second) {
    std::vector<port_share> shares{{.port = &first}, {.port = &second}};
    for (std::size_t i = 0; i != 4; ++i) {
      shares[i % 2].add({&dst_[i * 8], &src_[i * 8], 8}, i);
    }
    copy_list whole;
    whole.single = {dst_.data(), src_.data(), 32};
    return std::make_unique<split_copies>(std::move(whole), std::move(shares));
  }

  threads::worker_pool workers_{1, threads::thread_end::joined};
  cpu::cpu_device cpu_{workers_};
  late_device first_{cpu_};
  late_device second_{cpu_};
  const bytes src_ = numbered(32);
  bytes dst_ = zeros(32);
  future_completion done_;
};

TEST_F(SplitCopies, InlinePortsFinishAtOnce) {
  const auto work = make(cpu_, cpu_);

  EXPECT_EQ(work->start(done_), status{});
  EXPECT_EQ(dst_, src_);
}

TEST_F(SplitCopies, LastShareCompletesTheStep) {
  const auto work = make(first_, second_);
  EXPECT_EQ(work->start(done_), std::nullopt);

  second_.finish_first();
  first_.finish_first();

  EXPECT_OK(done_.wait());
  EXPECT_EQ(dst_, src_);
}

TEST_F(SplitCopies, InlineShareAndLateShareMix) {
  const auto work = make(first_, cpu_);
  EXPECT_EQ(work->start(done_), std::nullopt);

  first_.finish_first();

  EXPECT_OK(done_.wait());
  EXPECT_EQ(dst_, src_);
}

TEST_F(SplitCopies, LowestFailedItemIsNamed) {
  const auto work = make(first_, second_);
  EXPECT_EQ(work->start(done_), std::nullopt);

  second_.fail_first({errc::device_failure, copy_side::none, 1});  // item 3 of the batch
  first_.fail_first({errc::fault, copy_side::none, 1});            // item 2

  EXPECT_EQ(done_.wait(), (status{errc::fault, copy_side::none, 2}));
}

TEST_F(SplitCopies, FailureWithoutItemRanksLast) {
  const auto work = make(first_, second_);
  EXPECT_EQ(work->start(done_), std::nullopt);

  first_.fail_first({errc::device_failure});
  second_.fail_first({errc::fault, copy_side::none, 0});

  EXPECT_EQ(done_.wait(), (status{errc::fault, copy_side::none, 1}));
}

TEST_F(SplitCopies, SummaryDescribesTheWholeBatch) {
  EXPECT_EQ(make(cpu_, cpu_)->summary().items, 1U);
}

}  // namespace
}  // namespace convoy
