#include "stream/work_queue.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

const os::deadline long_ago = os::clock::time_point{};

class WorkQueue : public testing::Test {
 protected:
  std::shared_ptr<work_queue> make_queue() {
    return std::make_shared<work_queue>(queue_context{executor_});
  }

  manual_executor executor_;
  std::shared_ptr<work_queue> queue_ = make_queue();
  call_log log_;
};

TEST_F(WorkQueue, TicketsRiseByOneFromOne) {
  EXPECT_EQ(queue_->last(), ticket{0});
  EXPECT_EQ(queue_->push(empty_step()), ticket{1});
  EXPECT_EQ(queue_->push(empty_step()), ticket{2});
  EXPECT_EQ(queue_->last(), ticket{2});
}

TEST_F(WorkQueue, PushRunsNothing) {
  queue_->push(log_.step_logging("a"));

  EXPECT_EQ(log_.text(), "");
  EXPECT_EQ(executor_.posts(), 1U);
  EXPECT_FALSE(queue_->empty());
}

TEST_F(WorkQueue, RunsStepsFirstInFirstOut) {
  for (const char* name : {"a", "b", "c"}) queue_->push(log_.step_logging(name));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a b c");
  EXPECT_TRUE(queue_->empty());
}

TEST_F(WorkQueue, EarlierStepsLandFirst) {
  for (int i = 0; i != 3; ++i) queue_->push(empty_step());

  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));

  EXPECT_TRUE(queue_->landed(ticket{1}));
  EXPECT_TRUE(queue_->landed(ticket{2}));
  EXPECT_FALSE(queue_->landed(ticket{3}));
}

TEST_F(WorkQueue, BusyStreamYieldsTheWorker) {
  const auto other = make_queue();
  for (int i = 0; i != 100; ++i) queue_->push(empty_step());
  other->push(log_.step_logging("other"));
  while (log_.text().empty() && executor_.posts() != 0) executor_.run_next();

  EXPECT_FALSE(queue_->empty());
  executor_.run_all();
  EXPECT_TRUE(queue_->empty());
}

TEST_F(WorkQueue, StepMayPushAnother) {
  queue_->push(step_that([this] {
    log_.add("a");
    queue_->push(log_.step_logging("b"));
  }));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a b");
}

TEST_F(WorkQueue, WorkIsDestroyedBeforeLanding) {
  std::weak_ptr<int> seen;
  queue_->push(step_that([held = std::make_shared<int>(), &seen] { seen = held; }));
  bool gone_by_then = false;
  queue_->push(step_that([&] { gone_by_then = seen.expired(); }));

  executor_.run_all();

  EXPECT_TRUE(gone_by_then);
}

TEST_F(WorkQueue, WaiterRunsStepsItself) {
  queue_->push(log_.step_logging("a"));
  queue_->push(log_.step_logging("b"));

  EXPECT_OK(queue_->wait(queue_->last(), within_limit()));

  EXPECT_EQ(log_.text(), "a b");
}

TEST_F(WorkQueue, WaiterStopsAtItsTicket) {
  for (const char* name : {"a", "b", "c"}) queue_->push(log_.step_logging(name));

  EXPECT_OK(queue_->wait(ticket{2}, within_limit()));
  EXPECT_EQ(log_.text(), "a b");

  executor_.run_all();
  EXPECT_EQ(log_.text(), "a b c");
}

TEST_F(WorkQueue, OvertakenPostDoesNothing) {
  queue_->push(log_.step_logging("a"));
  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "a");
}

TEST_F(WorkQueue, ExpiredWaitRunsNothing) {
  queue_->push(log_.step_logging("a"));

  EXPECT_ANSWER(queue_->wait(ticket{1}, long_ago), errc::timed_out);

  EXPECT_EQ(log_.text(), "");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "a");
}

TEST_F(WorkQueue, WaitForLandedStepIgnoresDeadline) {
  queue_->push(empty_step());
  executor_.run_all();

  EXPECT_OK(queue_->wait(ticket{1}, long_ago));
}

TEST_F(WorkQueue, KeepsTheFirstError) {
  queue_->push(step_that_answers({errc::fault, copy_side::none, 3}));
  queue_->push(step_that_answers({errc::device_failure}));

  executor_.run_all();

  EXPECT_EQ(queue_->error(), (status{errc::fault, copy_side::none, 3}));
  EXPECT_EQ(queue_->wait(ticket{2}, within_limit()), (status{errc::fault, copy_side::none, 3}));
}

TEST_F(WorkQueue, ErrorDoesNotAffectEarlierSteps) {
  queue_->push(empty_step());
  queue_->push(step_that_answers({errc::fault}));
  executor_.run_all();

  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::fault);
}

TEST_F(WorkQueue, StepsAfterErrorRun) {
  queue_->push(step_that_answers({errc::fault}));
  queue_->push(log_.step_logging("after"));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "after");
}

TEST_F(WorkQueue, ClearedErrorAllowsTheNext) {
  queue_->push(step_that_answers({errc::fault}));
  executor_.run_all();

  queue_->clear_error();
  EXPECT_OK(queue_->error());
  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));

  queue_->push(step_that_answers({errc::device_failure}));
  EXPECT_ANSWER(queue_->wait(ticket{2}, within_limit()), errc::device_failure);
}

TEST_F(WorkQueue, BlockingStepGetsHostThread) {
  queue_->push(log_.step_logging("copy"));
  queue_->push(step_that_may_block([this] { log_.add("function"); }));
  queue_->push(log_.step_logging("copy"));

  executor_.run_next();
  EXPECT_EQ(log_.text(), "copy");
  ASSERT_EQ(executor_.calls(), 1U);

  executor_.call_next();
  EXPECT_EQ(log_.text(), "copy function copy");
}

TEST_F(WorkQueue, WaiterDoesNotRunBlockingStep) {
  queue_->push(step_that_may_block([this] { log_.add("function"); }));
  const auto soon = os::clock::now() + std::chrono::milliseconds(1);

  EXPECT_ANSWER(queue_->wait(ticket{1}, soon), errc::timed_out);

  EXPECT_EQ(log_.text(), "");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "function");
}

TEST_F(WorkQueue, ExecutorSeesItsPriority) {
  const work_queue urgent(
      {.run_executor = executor_, .observers = nullptr, .number = 0, .priority = -5});

  EXPECT_EQ(urgent.priority(), -5);
}

}  // namespace
}  // namespace convoy::test
