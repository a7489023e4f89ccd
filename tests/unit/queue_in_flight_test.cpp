// Steps whose device finishes later.
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/recording_observer.hpp"
#include "support/scripted_step.hpp"
#include "threads/worker_pool.hpp"

namespace convoy {
namespace {

using namespace test;

// Starts, and finishes when the test says so.
class pending_action final : public action {
 public:
  explicit pending_action(completion*& started) : started_(started) {}
  started_work start(completion& done) override {
    started_ = &done;
    return {};
  }
  [[nodiscard]] step_summary summary() const noexcept override { return {.bytes = 8}; }

 private:
  completion*& started_;
};

// Finishes before start() returns, but answers that it is under way.
class early_action final : public action {
 public:
  explicit early_action(const status& outcome) : outcome_(outcome) {}
  started_work start(completion& done) override {
    done.complete(outcome_);
    return {};
  }
  [[nodiscard]] step_summary summary() const noexcept override { return {}; }

 private:
  status outcome_;
};

class QueueInFlight : public testing::Test {
 protected:
  step pending() { return {.work = std::make_unique<pending_action>(started_)}; }

  manual_executor executor_;
  recording_observer observer_;
  observer_slot slot_{&observer_};
  std::shared_ptr<work_queue> queue_ =
      std::make_shared<work_queue>(queue_context{executor_, &slot_, 7});
  completion* started_ = nullptr;
};

TEST_F(QueueInFlight, NoThreadIsHeld) {
  const ticket t = queue_->push(pending());
  executor_.run_all();

  ASSERT_NE(started_, nullptr);
  EXPECT_FALSE(queue_->landed(t));
  EXPECT_EQ(executor_.posts(), 0U);

  started_->complete({});
  EXPECT_TRUE(queue_->landed(t));
}

TEST_F(QueueInFlight, LaterStepsWaitForCompletion) {
  call_log log;
  queue_->push(pending());
  const ticket last = queue_->push(log.step_logging("second"));
  executor_.run_all();
  EXPECT_EQ(log.text(), "");

  started_->complete({});
  EXPECT_EQ(log.text(), "");  // the thread of the device runs no other step
  executor_.run_all();

  EXPECT_EQ(log.text(), "second");
  EXPECT_TRUE(queue_->landed(last));
}

TEST_F(QueueInFlight, FailureStaysInQueue) {
  const ticket t = queue_->push(pending());
  executor_.run_all();

  started_->complete({errc::device_failure, copy_side::none, 3});

  EXPECT_EQ(queue_->wait(t, within_limit()), (status{errc::device_failure, copy_side::none, 3}));
  EXPECT_EQ(queue_->failure_of(t).item, 3U);
}

TEST_F(QueueInFlight, CompletionMayPrecedeReturn) {
  const ticket good = queue_->push({.work = std::make_unique<early_action>(status{})});
  const ticket bad =
      queue_->push({.work = std::make_unique<early_action>(status{errc::device_failure})});
  executor_.run_all();

  EXPECT_TRUE(queue_->landed(bad));
  EXPECT_OK(queue_->wait(good, within_limit()));
  EXPECT_EQ(queue_->error().code, errc::device_failure);
}

TEST_F(QueueInFlight, AbortDropsOnlyLaterSteps) {
  const ticket first = queue_->push(pending());
  const ticket second = queue_->push(empty_step());
  executor_.run_all();

  queue_->abort();
  EXPECT_FALSE(queue_->landed(second));  // a waiter for it also waits for the first
  started_->complete({});

  EXPECT_OK(queue_->wait(first, within_limit()));
  EXPECT_EQ(queue_->wait(second, within_limit()).code, errc::aborted);
}

TEST_F(QueueInFlight, SignalsAreRaisedAtCompletion) {
  const auto reached = std::make_shared<signal>(queue_);
  step one = pending();
  one.raises.push_back(reached);
  queue_->push(std::move(one));
  executor_.run_all();
  EXPECT_FALSE(reached->raised());

  started_->complete({});

  EXPECT_TRUE(reached->raised());
}

TEST_F(QueueInFlight, CompletionKeepsQueueAlive) {
  queue_->push(pending());
  executor_.run_all();
  const std::weak_ptr<work_queue> watched = queue_;

  queue_.reset();
  EXPECT_FALSE(watched.expired());
  started_->complete({});

  EXPECT_TRUE(watched.expired());
}

TEST_F(QueueInFlight, ObserverSeesEachPhaseOnce) {
  queue_->push(pending());
  executor_.run_all();
  EXPECT_EQ(observer_.text(), "submitted:7.1 started:7.1");

  started_->complete({});

  EXPECT_EQ(observer_.text(), "submitted:7.1 started:7.1 landed:7.1");
}

TEST(QueueInFlightThreads, WaiterWakesAtCompletion) {
  EXPECT_TRUE(ends_in_time([] {
    threads::worker_pool workers(1, threads::thread_end::joined);
    const auto queue = std::make_shared<work_queue>(queue_context{workers});
    std::atomic<completion*> started = nullptr;
    struct handed_over final : action {
      explicit handed_over(std::atomic<completion*>& into) : started(into) {}
      started_work start(completion& done) override {
        started = &done;
        started.notify_all();
        return {};
      }
      [[nodiscard]] step_summary summary() const noexcept override { return {}; }
      std::atomic<completion*>& started;
    };
    const ticket t = queue->push({.work = std::make_unique<handed_over>(started)});
    std::jthread device([&] {
      started.wait(nullptr);
      started.load()->complete({errc::device_failure});
    });

    EXPECT_EQ(queue->wait(t, within_limit()).code, errc::device_failure);
  }));
}

}  // namespace
}  // namespace convoy
