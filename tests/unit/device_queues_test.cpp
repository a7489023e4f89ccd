#include "stream/device_queues.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

class DeviceQueues : public testing::Test {
 protected:
  void TearDown() override { release(); }

  std::shared_ptr<work_queue> make_queue(stream_role role) {
    return queues_.make_queue(role, {executor_});
  }
  void submit(const std::shared_ptr<work_queue>& to, stream_role role, const char* name) {
    queues_.submit(to, role, log_.step_logging(name));
  }
  // A step that the test releases later.
  void hold(const std::shared_ptr<work_queue>& to, stream_role role) {
    queues_.submit(to, role, waiting_for({release_signal_}, log_.step_logging("held")));
  }
  void release() {
    release_signal_->raise();
    executor_.run_all();
  }

  manual_executor executor_;
  device_queues queues_{{executor_}};
  call_log log_;
  std::shared_ptr<signal> release_signal_ = std::make_shared<signal>(std::weak_ptr<work_queue>{});
  const std::shared_ptr<work_queue> legacy_ = queues_.legacy();
  const std::shared_ptr<work_queue> blocking_ = make_queue(stream_role::blocking);
  const std::shared_ptr<work_queue> other_ = make_queue(stream_role::blocking);
  const std::shared_ptr<work_queue> free_ = make_queue(stream_role::non_blocking);
};

TEST_F(DeviceQueues, LegacyWaitsForEarlierBlockingSteps) {
  hold(blocking_, stream_role::blocking);
  submit(legacy_, stream_role::legacy, "legacy");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  release();

  EXPECT_EQ(log_.text(), "held legacy");
}

TEST_F(DeviceQueues, LegacyIgnoresLaterBlockingSteps) {
  submit(legacy_, stream_role::legacy, "legacy");
  hold(blocking_, stream_role::blocking);

  executor_.run_all();

  EXPECT_EQ(log_.text(), "legacy");
}

TEST_F(DeviceQueues, BlockingWaitsForEarlierLegacySteps) {
  hold(legacy_, stream_role::legacy);
  submit(blocking_, stream_role::blocking, "blocking");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  release();

  EXPECT_EQ(log_.text(), "held blocking");
}

TEST_F(DeviceQueues, BlockingStreamsAreIndependent) {
  hold(blocking_, stream_role::blocking);
  submit(other_, stream_role::blocking, "other");

  executor_.run_all();

  EXPECT_EQ(log_.text(), "other");
}

TEST_F(DeviceQueues, LegacyStepOrdersTwoBlockingStreams) {
  hold(blocking_, stream_role::blocking);
  submit(legacy_, stream_role::legacy, "legacy");
  submit(other_, stream_role::blocking, "other");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  release();

  EXPECT_EQ(log_.text(), "held legacy other");
}

TEST_F(DeviceQueues, NonBlockingIgnoresLegacyStream) {
  hold(legacy_, stream_role::legacy);
  submit(free_, stream_role::non_blocking, "free");

  executor_.run_all();

  EXPECT_EQ(log_.text(), "free");
}

TEST_F(DeviceQueues, LegacyIgnoresNonBlockingStreams) {
  hold(free_, stream_role::non_blocking);
  submit(legacy_, stream_role::legacy, "legacy");

  executor_.run_all();

  EXPECT_EQ(log_.text(), "legacy");
}

TEST_F(DeviceQueues, DevicesAreIndependent) {
  device_queues other_device({executor_});
  hold(blocking_, stream_role::blocking);
  other_device.submit(other_device.legacy(), stream_role::legacy,
                      log_.step_logging("other_device"));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "other_device");
}

TEST_F(DeviceQueues, LegacyWaitsForAbandonedQueue) {
  auto gone = make_queue(stream_role::blocking);
  hold(gone, stream_role::blocking);
  executor_.run_all();
  gone.reset();
  submit(legacy_, stream_role::legacy, "legacy");
  executor_.run_all();
  EXPECT_EQ(log_.text(), "");

  release();

  EXPECT_EQ(log_.text(), "held legacy");
}

TEST_F(DeviceQueues, LegacyWaiterRunsBlockingStreams) {
  submit(blocking_, stream_role::blocking, "blocking");
  submit(other_, stream_role::blocking, "other");
  submit(legacy_, stream_role::legacy, "legacy");

  EXPECT_OK(legacy_->wait(ticket{1}, within_limit()));

  EXPECT_EQ(log_.text(), "blocking other legacy");
}

TEST_F(DeviceQueues, TailsAreOfBusyQueues) {
  submit(other_, stream_role::blocking, "other");
  executor_.run_all();
  EXPECT_TRUE(queues_.tails().empty());

  hold(free_, stream_role::non_blocking);

  const auto tails = queues_.tails();
  ASSERT_EQ(tails.size(), 1U);
  EXPECT_EQ(tails[0].queue, free_);
  EXPECT_EQ(tails[0].position, ticket{1});
}

TEST_F(DeviceQueues, EndsAreOfAllLiveQueues) {
  EXPECT_EQ(queues_.ends().size(), 4U);

  auto fifth = make_queue(stream_role::non_blocking);
  EXPECT_EQ(queues_.ends().size(), 5U);

  fifth.reset();
  EXPECT_EQ(queues_.ends().size(), 4U);
}

}  // namespace
}  // namespace convoy::test
