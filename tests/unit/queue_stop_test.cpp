#include <gtest/gtest.h>

#include <memory>

#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/recording_observer.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

class QueueStop : public testing::Test {
 protected:
  QueueStop() { queue_->stop_after_failure(true); }

  void fail() {
    queue_->push(step_that_answers({errc::fault}));
    executor_.run_all();
  }

  manual_executor executor_;
  recording_observer observer_;
  observer_slot slot_{&observer_};
  std::shared_ptr<work_queue> queue_ =
      std::make_shared<work_queue>(queue_context{executor_, &slot_, 7, 0});
  call_log log_;
};

TEST_F(QueueStop, FailureSkipsLaterSteps) {
  queue_->push(log_.step_logging("before"));
  queue_->push(step_that_answers({errc::fault}));
  queue_->push(log_.step_logging("after"));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "before");
  EXPECT_TRUE(queue_->empty());
  EXPECT_ANSWER(queue_->error(), errc::fault);
}

TEST_F(QueueStop, QuickWorkIsSkipped) {
  scripted_action work([this] {
    log_.add("quick");
    return status{};
  });
  fail();

  const ticket at = queue_->try_run(work);

  EXPECT_EQ(log_.text(), "");
  EXPECT_TRUE(queue_->landed(at));
  EXPECT_ANSWER(queue_->failure_of(at), errc::aborted);
}

TEST_F(QueueStop, SkippedFunctionNeedsNoThread) {
  fail();
  queue_->push(step_that_may_block([this] { log_.add("function"); }));

  executor_.run_next();

  EXPECT_EQ(executor_.calls(), 0U);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(QueueStop, EverySkippedStepIsRecorded) {
  fail();
  const ticket first = queue_->push(empty_step());
  const ticket second = queue_->push(empty_step());
  executor_.run_all();

  EXPECT_ANSWER(queue_->failure_of(ticket{1}), errc::fault);
  EXPECT_ANSWER(queue_->failure_of(first), errc::aborted);
  EXPECT_ANSWER(queue_->failure_of(second), errc::aborted);
}

TEST_F(QueueStop, SkippedStepAddsNoError) {
  fail();
  queue_->push(empty_step());
  executor_.run_all();

  queue_->clear_error();

  EXPECT_OK(queue_->error());
  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));
}

TEST_F(QueueStop, OnlyClearedErrorResumes) {
  fail();

  queue_->forget_error();
  queue_->push(log_.step_logging("disowned"));
  executor_.run_all();
  queue_->clear_error();
  queue_->push(log_.step_logging("cleared"));
  executor_.run_all();

  EXPECT_EQ(log_.text(), "cleared");
}

TEST_F(QueueStop, GivenUpStepCountsAsSkipped) {
  const auto other = std::make_shared<work_queue>(queue_context{executor_});
  other->stop_with(queue_->own_stop_group());
  bool before = true;
  bool after = false;
  const ticket at = other->push({std::make_unique<scripted_action>([&] {
                                   before = other->head_cancelled();
                                   queue_->own_stop_group()->stop_all({errc::fault});
                                   after = other->head_cancelled();
                                   return status{errc::aborted};
                                 }),
                                 {},
                                 {}});

  executor_.run_all();

  EXPECT_FALSE(before);
  EXPECT_TRUE(after);
  EXPECT_ANSWER(other->error(), errc::fault);
  EXPECT_ANSWER(other->failure_of(at), errc::aborted);
}

TEST_F(QueueStop, AbortIsNotChanged) {
  fail();
  queue_->push(empty_step());

  queue_->abort();

  EXPECT_TRUE(queue_->empty());
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::aborted);
  EXPECT_ANSWER(queue_->error(), errc::fault);
}

TEST_F(QueueStop, ObserversSeeSkippedAsDropped) {
  fail();
  queue_->push(empty_step());

  executor_.run_all();

  EXPECT_EQ(observer_.text(), "submitted:7.1 started:7.1 fault:7.1 submitted:7.2 aborted:7.2");
}

}  // namespace
}  // namespace convoy::test
