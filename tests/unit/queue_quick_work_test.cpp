#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <utility>

#include "stream/device_queues.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/recording_observer.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

constexpr ticket none{};

scripted_action brief_action(std::function<status()> script) {
  return scripted_action(std::move(script), run_style::brief);
}

class QueueQuickWork : public testing::Test {
 protected:
  scripted_action action_logging(const std::string& entry) {
    return scripted_action([this, entry] {
      log_.add(entry);
      return status{};
    });
  }

  manual_executor executor_;
  std::shared_ptr<work_queue> queue_ = std::make_shared<work_queue>(queue_context{executor_});
  call_log log_;
};

TEST_F(QueueQuickWork, RunsAtOnceOnIdleQueue) {
  auto work = action_logging("a");

  EXPECT_EQ(queue_->try_run(work), ticket{1});

  EXPECT_EQ(log_.text(), "a");
  EXPECT_TRUE(queue_->empty());
  EXPECT_EQ(executor_.posts(), 0U);
  EXPECT_EQ(queue_->push(empty_step()), ticket{2});
}

TEST_F(QueueQuickWork, BusyQueueRefusesIt) {
  auto work = action_logging("b");
  queue_->push(log_.step_logging("a"));

  EXPECT_EQ(queue_->try_run(work), none);

  executor_.run_all();
  EXPECT_EQ(log_.text(), "a");
  EXPECT_EQ(queue_->last(), ticket{1});
}

TEST_F(QueueQuickWork, ErrorStaysInQueue) {
  scripted_action work([] { return status{errc::fault}; });

  const ticket at = queue_->try_run(work);

  EXPECT_EQ(queue_->error().code, errc::fault);
  EXPECT_EQ(queue_->failure_of(at).code, errc::fault);
}

TEST_F(QueueQuickWork, LaterStepsGoToTheExecutor) {
  scripted_action work([this] {
    log_.add("a");
    queue_->push(log_.step_logging("b"));
    return status{};
  });

  queue_->try_run(work);
  EXPECT_EQ(log_.text(), "a");

  executor_.run_all();
  EXPECT_EQ(log_.text(), "a b");
}

TEST_F(QueueQuickWork, TailSignalIsRaised) {
  std::shared_ptr<signal> tail;
  scripted_action work([&] {
    tail = queue_->tail_signal();
    return status{};
  });

  queue_->try_run(work);

  ASSERT_NE(tail, nullptr);
  EXPECT_TRUE(tail->raised());
}

TEST_F(QueueQuickWork, ObserversSeeEveryPhase) {
  recording_observer seen;
  const observer_slot slot(&seen);
  const auto watched = std::make_shared<work_queue>(queue_context{executor_, &slot, 7});
  auto work = action_logging("a");

  watched->try_run(work);

  EXPECT_EQ(seen.text(), "submitted:7.1 started:7.1 landed:7.1");
}

TEST_F(QueueQuickWork, BriefWorkExcludesOtherThreads) {
  EXPECT_TRUE(ends_in_time([this] {
    std::latch trying(1);
    std::atomic<bool> done = false;
    std::jthread other;
    auto work = brief_action([&] {
      other = std::jthread([&] {
        trying.count_down();
        EXPECT_EQ(queue_->push(empty_step()), ticket{2});
        EXPECT_TRUE(done);
      });
      trying.wait();
      done = true;
      return status{};
    });

    EXPECT_EQ(queue_->try_run(work), ticket{1});

    other.join();
    EXPECT_TRUE(queue_->landed(ticket{1}));
    EXPECT_FALSE(queue_->empty());
  }));
}

TEST_F(QueueQuickWork, WaiterSeesBriefWorkLanded) {
  EXPECT_TRUE(ends_in_time([this] {
    std::latch trying(1);
    std::jthread other;
    auto work = brief_action([&] {
      other = std::jthread([&] {
        trying.count_down();
        EXPECT_OK(queue_->wait(ticket{1}, within_limit()));
      });
      trying.wait();
      return status{};
    });

    queue_->try_run(work);

    other.join();
    EXPECT_TRUE(queue_->empty());
  }));
}

TEST_F(QueueQuickWork, BusyQueueRefusesBriefWork) {
  auto work = brief_action([] { return status{}; });
  queue_->push(empty_step());

  EXPECT_EQ(queue_->try_run(work), none);
  EXPECT_EQ(queue_->last(), ticket{1});
}

TEST_F(QueueQuickWork, BriefErrorStaysInQueue) {
  auto bad = brief_action([] { return status{errc::fault}; });
  auto good = brief_action([] { return status{}; });

  const ticket at = queue_->try_run(bad);

  EXPECT_EQ(queue_->failure_of(at).code, errc::fault);
  EXPECT_TRUE(queue_->landed(at));
  EXPECT_EQ(queue_->try_run(good), ticket{2});
  EXPECT_EQ(queue_->error().code, errc::fault);
}

TEST_F(QueueQuickWork, StoppedQueueSkipsBriefWork) {
  bool ran = false;
  auto work = brief_action([&] {
    ran = true;
    return status{};
  });
  scripted_action bad([] { return status{errc::fault}; });
  queue_->stop_after_failure(true);
  queue_->try_run(bad);

  EXPECT_EQ(queue_->try_run(work), ticket{2});

  EXPECT_FALSE(ran);
}

TEST_F(QueueQuickWork, ObserversSeeBriefWork) {
  recording_observer seen;
  const observer_slot slot(&seen);
  const auto watched = std::make_shared<work_queue>(queue_context{executor_, &slot, 7});
  auto work = brief_action([] { return status{}; });

  watched->try_run(work);

  EXPECT_EQ(seen.text(), "submitted:7.1 started:7.1 landed:7.1");
}

TEST_F(QueueQuickWork, LegacyStreamIsNotOvertaken) {
  device_queues device({executor_});
  const auto blocking = device.make_queue(stream_role::blocking, {executor_});
  auto work = action_logging("a");
  EXPECT_NE(device.try_run(*blocking, stream_role::blocking, work), none);
  device.submit(device.legacy(), stream_role::legacy, empty_step());

  EXPECT_EQ(device.try_run(*blocking, stream_role::blocking, work), none);
  EXPECT_EQ(device.try_run(*device.legacy(), stream_role::legacy, work), none);
  EXPECT_NE(device.try_run(*blocking, stream_role::non_blocking, work), none);
}

}  // namespace
}  // namespace convoy::test
