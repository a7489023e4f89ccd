#include <gtest/gtest.h>

#include <memory>

#include "stream/signal.hpp"
#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

class QueueSignals : public testing::Test {
 protected:
  std::shared_ptr<work_queue> make_queue() {
    return std::make_shared<work_queue>(queue_context{executor_});
  }
  std::shared_ptr<signal> loose_signal() { return std::make_shared<signal>(idle_queue_); }

  manual_executor executor_;
  std::shared_ptr<work_queue> idle_queue_ = make_queue();
  std::shared_ptr<work_queue> a_ = make_queue();
  std::shared_ptr<work_queue> b_ = make_queue();
  call_log log_;
};

TEST_F(QueueSignals, StepWaitsForItsSignal) {
  const auto awaited = loose_signal();
  a_->push(waiting_for({awaited}, log_.step_logging("a")));
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  awaited->raise();
  executor_.run_all();

  EXPECT_EQ(log_.text(), "a");
}

TEST_F(QueueSignals, StepWaitsForAllItsSignals) {
  const auto first = loose_signal();
  const auto second = loose_signal();
  a_->push(waiting_for({first, second}, log_.step_logging("a")));
  executor_.run_all();

  second->raise();
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  first->raise();
  executor_.run_all();
  EXPECT_EQ(log_.text(), "a");
}

TEST_F(QueueSignals, RaisedSignalDoesNotBlock) {
  const auto awaited = loose_signal();
  awaited->raise();
  a_->push(waiting_for({awaited}, log_.step_logging("a")));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a");
}

TEST_F(QueueSignals, LaterStepsWaitToo) {
  const auto awaited = loose_signal();
  a_->push(waiting_for({awaited}, log_.step_logging("a")));
  a_->push(log_.step_logging("b"));
  executor_.run_all();

  awaited->raise();
  executor_.run_all();

  EXPECT_EQ(log_.text(), "a b");
}

TEST_F(QueueSignals, SignalIsRaisedAfterLanding) {
  const auto reached = std::make_shared<signal>(a_);
  bool raised_inside = true;
  a_->push(raising(reached, step_that([&] { raised_inside = reached->raised(); })));

  executor_.run_all();

  EXPECT_FALSE(raised_inside);
  EXPECT_TRUE(reached->raised());
  EXPECT_EQ(reached->position(), ticket{1});
}

TEST_F(QueueSignals, FailedStepRaisesItsSignal) {
  const auto reached = std::make_shared<signal>(a_);
  a_->push(raising(reached, step_that_answers({errc::fault})));

  executor_.run_all();

  EXPECT_TRUE(reached->raised());
}

TEST_F(QueueSignals, SignalOrdersTwoStreams) {
  const auto reached = std::make_shared<signal>(a_);
  b_->push(waiting_for({reached}, log_.step_logging("b")));
  a_->push(raising(reached, log_.step_logging("a")));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a b");
}

TEST_F(QueueSignals, WaiterRunsTheBlockingStream) {
  a_->push(log_.step_logging("a1"));
  a_->push(log_.step_logging("a2"));
  b_->push(waiting_for({a_->tail_signal()}, log_.step_logging("b")));
  a_->push(log_.step_logging("a3"));

  EXPECT_OK(b_->wait(ticket{1}, within_limit()));

  EXPECT_EQ(log_.text(), "a1 a2 b");
}

TEST_F(QueueSignals, WaiterFollowsChainOfStreams) {
  std::shared_ptr<work_queue> queue = a_;
  a_->push(log_.step_logging("0"));
  for (const char* name : {"1", "2", "3", "4", "5"}) {
    const auto next = make_queue();
    next->push(waiting_for({queue->tail_signal()}, log_.step_logging(name)));
    queue = next;
  }

  EXPECT_OK(queue->wait(ticket{1}, within_limit()));

  EXPECT_EQ(log_.text(), "0 1 2 3 4 5");
}

TEST_F(QueueSignals, SignalKeepsWaitingQueueAlive) {
  const auto awaited = loose_signal();
  a_->push(waiting_for({awaited}, log_.step_logging("a")));
  executor_.run_all();

  a_.reset();
  awaited->raise();
  executor_.run_all();

  EXPECT_EQ(log_.text(), "a");
}

TEST_F(QueueSignals, EmptyQueueHasNoTail) {
  EXPECT_EQ(a_->tail_signal(), nullptr);

  a_->push(empty_step());
  executor_.run_all();

  EXPECT_EQ(a_->tail_signal(), nullptr);
}

TEST_F(QueueSignals, TailIsRaisedAfterEarlierSteps) {
  a_->push(empty_step());
  a_->push(empty_step());
  const auto tail = a_->tail_signal();
  a_->push(empty_step());

  EXPECT_OK(a_->wait(ticket{1}, within_limit()));
  EXPECT_FALSE(tail->raised());
  EXPECT_OK(a_->wait(ticket{2}, within_limit()));
  EXPECT_TRUE(tail->raised());
}

TEST_F(QueueSignals, TailIsSharedUntilNextStep) {
  a_->push(empty_step());
  const auto tail = a_->tail_signal();

  EXPECT_EQ(a_->tail_signal(), tail);

  a_->push(empty_step());
  EXPECT_NE(a_->tail_signal(), tail);
}

TEST_F(QueueSignals, RunningStepMayBeTheTail) {
  std::shared_ptr<signal> tail;
  a_->push(step_that([&] { tail = a_->tail_signal(); }));

  executor_.run_all();

  ASSERT_NE(tail, nullptr);
  EXPECT_TRUE(tail->raised());
}

}  // namespace
}  // namespace convoy::test
