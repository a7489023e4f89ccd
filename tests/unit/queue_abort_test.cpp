#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

class QueueAbort : public testing::Test {
 protected:
  std::shared_ptr<signal> loose_signal() { return std::make_shared<signal>(queue_); }

  manual_executor executor_;
  std::shared_ptr<work_queue> queue_ = std::make_shared<work_queue>(queue_context{executor_});
  call_log log_;
};

TEST_F(QueueAbort, IdleQueueIsUnchanged) {
  queue_->push(empty_step());
  executor_.run_all();

  queue_->abort();

  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));
}

TEST_F(QueueAbort, DropsUnstartedSteps) {
  queue_->push(log_.step_logging("a"));
  queue_->push(log_.step_logging("b"));

  queue_->abort();
  executor_.run_all();

  EXPECT_EQ(log_.text(), "");
  EXPECT_TRUE(queue_->empty());
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::aborted);
}

TEST_F(QueueAbort, RunningStepMayGiveUp) {
  bool before = true;
  bool after = false;
  const auto gives_up = [&] {
    before = queue_->head_cancelled();
    queue_->abort();
    after = queue_->head_cancelled();
    return status{errc::aborted};
  };
  const ticket at = queue_->push({std::make_unique<scripted_action>(gives_up), {}, {}});

  executor_.run_all();

  EXPECT_FALSE(before);
  EXPECT_TRUE(after);
  EXPECT_ANSWER(queue_->wait(at, within_limit()), errc::aborted);
  EXPECT_OK(queue_->error());
}

TEST_F(QueueAbort, LaterStepsAreNotCancelled) {
  queue_->push(empty_step());
  queue_->abort();
  bool gives_up = true;
  queue_->push({std::make_unique<scripted_action>([&] {
                  gives_up = queue_->head_cancelled();
                  return status{};
                }),
                {},
                {}});

  executor_.run_all();

  EXPECT_FALSE(gives_up);
}

TEST_F(QueueAbort, GivenUpStepIsRecordedFirst) {
  const auto gives_up = [&] {
    queue_->push(empty_step());
    queue_->abort();
    return status{errc::aborted};
  };
  queue_->push({std::make_unique<scripted_action>(gives_up), {}, {}});
  executor_.run_all();
  queue_->push(empty_step());

  EXPECT_ANSWER(queue_->wait(ticket{1}, within_limit()), errc::aborted);
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::aborted);
  EXPECT_OK(queue_->wait(ticket{3}, within_limit()));
}

TEST_F(QueueAbort, QueueStaysUsable) {
  queue_->push(log_.step_logging("a"));
  queue_->abort();

  queue_->push(log_.step_logging("b"));

  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));
  EXPECT_EQ(log_.text(), "b");
}

TEST_F(QueueAbort, EarlierAbortsAreRemembered) {
  queue_->push(empty_step());
  queue_->abort();
  queue_->push(empty_step());
  queue_->push(empty_step());
  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));

  queue_->abort();

  EXPECT_ANSWER(queue_->wait(ticket{1}, within_limit()), errc::aborted);
  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));
  EXPECT_ANSWER(queue_->wait(ticket{3}, within_limit()), errc::aborted);
}

TEST_F(QueueAbort, LandedStepsAreNotAborted) {
  queue_->push(empty_step());
  queue_->push(empty_step());
  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));

  queue_->abort();

  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::aborted);
}

TEST_F(QueueAbort, BlockedQueueForgetsItsSignal) {
  const auto awaited = loose_signal();
  queue_->push(waiting_for({awaited}, log_.step_logging("a")));
  executor_.run_all();

  queue_->abort();
  queue_->push(log_.step_logging("b"));
  executor_.run_all();
  EXPECT_EQ(log_.text(), "b");

  awaited->raise();
  executor_.run_all();
  EXPECT_EQ(log_.text(), "b");
}

TEST_F(QueueAbort, RunningStepFinishes) {
  queue_->push(step_that([this] {
    queue_->abort();
    EXPECT_FALSE(queue_->landed(ticket{1}));
    log_.add("a");
  }));
  queue_->push(log_.step_logging("b"));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a");
  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::aborted);
}

TEST_F(QueueAbort, OnlyConcurrentDrainAnswersAborted) {
  queue_->push(step_that([this] { queue_->abort(); }));
  queue_->push(empty_step());

  EXPECT_ANSWER(queue_->drain(ticket{2}, within_limit()), errc::aborted);
  EXPECT_OK(queue_->drain(ticket{2}, within_limit()));
}

TEST_F(QueueAbort, FunctionAwaitingHostThreadIsDropped) {
  queue_->push(step_that_may_block([this] { log_.add("function"); }));
  executor_.run_next();

  queue_->abort();
  executor_.run_all();

  EXPECT_EQ(log_.text(), "");
  EXPECT_ANSWER(queue_->wait(ticket{1}, within_limit()), errc::aborted);
}

TEST_F(QueueAbort, SignalsOfDroppedStepsAreRaised) {
  const auto reached = loose_signal();
  queue_->push(raising(reached));

  queue_->abort();

  EXPECT_TRUE(reached->raised());
}

TEST_F(QueueAbort, SignalsWaitForTheRunningStep) {
  const auto reached = loose_signal();
  bool raised_inside = true;
  queue_->push(step_that([&] {
    queue_->abort();
    raised_inside = reached->raised();
  }));
  queue_->push(raising(reached));

  executor_.run_all();

  EXPECT_FALSE(raised_inside);
  EXPECT_TRUE(reached->raised());
}

TEST_F(QueueAbort, WaitingThreadIsReleased) {
  queue_->push(waiting_for({loose_signal()}));
  status outcome;
  std::jthread waiting([&] { outcome = queue_->wait(ticket{1}, within_limit()); });

  queue_->abort();
  waiting.join();

  EXPECT_ANSWER(outcome, errc::aborted);
}

}  // namespace
}  // namespace convoy::test
