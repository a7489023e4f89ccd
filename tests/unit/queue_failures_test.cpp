#include "stream/queue_failures.hpp"

#include <gtest/gtest.h>

#include "support/outcome.hpp"

namespace convoy {
namespace {

class QueueFailures : public testing::Test {
 protected:
  std::atomic<bool> any_failures_ = false;
  queue_failures failures_{any_failures_};
};

TEST_F(QueueFailures, NothingIsRecordedAtFirst) {
  EXPECT_FALSE(any_failures_);
  EXPECT_OK(failures_.error());
  EXPECT_OK(failures_.outcome_of(ticket{5}));
  EXPECT_EQ(failures_.last_dropped(), ticket{});
  EXPECT_FALSE(failures_.skips(ticket{1}));
}

TEST_F(QueueFailures, FirstErrorIsKept) {
  failures_.record_failure(ticket{2}, {errc::fault});
  failures_.record_failure(ticket{3}, {errc::device_failure});

  EXPECT_TRUE(any_failures_);
  EXPECT_EQ(failures_.error().code, errc::fault);
  EXPECT_OK(failures_.outcome_of(ticket{1}));
  EXPECT_EQ(failures_.outcome_of(ticket{3}).code, errc::fault);
  EXPECT_EQ(failures_.failure_of(ticket{3}).code, errc::device_failure);
  EXPECT_OK(failures_.failure_of(ticket{2}));  // a later step has failed since
}

TEST_F(QueueFailures, ClearForgetsOnlyTheError) {
  failures_.record_failure(ticket{2}, {errc::fault});
  failures_.record_dropped({ticket{3}, ticket{4}});

  failures_.clear();

  EXPECT_OK(failures_.error());
  EXPECT_OK(failures_.outcome_of(ticket{2}));
  EXPECT_EQ(failures_.outcome_of(ticket{4}).code, errc::aborted);
}

TEST_F(QueueFailures, DroppedStepsAnswerAborted) {
  failures_.record_dropped({ticket{3}, ticket{5}});

  EXPECT_TRUE(any_failures_);
  EXPECT_EQ(failures_.last_dropped(), ticket{5});
  EXPECT_EQ(failures_.outcome_of(ticket{3}).code, errc::aborted);
  EXPECT_OK(failures_.outcome_of(ticket{6}));
}

TEST_F(QueueFailures, AbortCancelsStepsUpToIt) {
  failures_.record_abort(ticket{4});

  EXPECT_TRUE(failures_.cancels(ticket{4}));
  EXPECT_FALSE(failures_.cancels(ticket{5}));
  failures_.record_skipped(ticket{4});
  EXPECT_EQ(failures_.outcome_of(ticket{4}).code, errc::aborted);
}

TEST_F(QueueFailures, GroupStopsEveryMember) {
  const auto group = std::make_shared<stop_group>();
  failures_.join(group, {});
  EXPECT_FALSE(failures_.skips(ticket{1}));

  group->stop_all({errc::function_threw});

  EXPECT_TRUE(failures_.skips(ticket{1}));
  failures_.record_skipped(ticket{1});
  EXPECT_EQ(failures_.error().code, errc::function_threw);
}

TEST_F(QueueFailures, FailureStopsTheGroup) {
  const auto group = std::make_shared<stop_group>();
  failures_.join(group, {});

  failures_.record_failure(ticket{1}, {errc::fault});

  EXPECT_TRUE(group->stopped());
  EXPECT_EQ(group->latest().error.code, errc::fault);
}

TEST_F(QueueFailures, PendingStepsAreSkippedAfterResume) {
  const auto group = std::make_shared<stop_group>();
  failures_.join(group, {});
  const auto stop = group->stop_all({errc::fault});

  failures_.skip_through(*group, stop, ticket{3});
  group->resume(stop.number);

  EXPECT_TRUE(failures_.skips(ticket{3}));
  EXPECT_FALSE(failures_.skips(ticket{4}));
}

TEST_F(QueueFailures, LeavingTheGroupRunsStepsAgain) {
  const auto group = std::make_shared<stop_group>();
  failures_.join(group, {});
  group->stop_all({errc::fault});

  failures_.leave_group();

  EXPECT_FALSE(failures_.skips(ticket{1}));
  EXPECT_EQ(failures_.group(), nullptr);
}

}  // namespace
}  // namespace convoy
