#include <thread>

#include "support/ascendcl.hpp"

namespace convoy::test {
namespace {

class AclEvent : public AclTest {
 protected:
  static aclrtEventRecordedStatus recorded(aclrtEvent event) {
    auto status = static_cast<aclrtEventRecordedStatus>(7);
    must_acl(aclrtQueryEventStatus(event, &status));
    return status;
  }
  static bool is_held(aclrtStream stream) {
    return aclrtSynchronizeStreamWithTimeout(stream, short_wait_ms) ==
           ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
  }

  acl_stream one_;
  acl_stream two_;
};

TEST_F(AclEvent, CompletesWhenEarlierWorkIsDone) {
  const acl_event event = acl_event::newer();
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_EQ(recorded(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeEvent(event));

  EXPECT_EQ(recorded(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(AclEvent, HoldsWaitingStream) {
  const acl_event event = acl_event::newer();
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));

  EXPECT_TRUE(is_held(two_));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
}

TEST_F(AclEvent, UnrecordedStatusDependsOnMode) {
  const acl_event older;
  const acl_event newer = acl_event::newer();

  EXPECT_EQ(recorded(older), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(recorded(newer), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_ACL_OK(aclrtSynchronizeEvent(older));
  EXPECT_ACL_OK(aclrtSynchronizeEvent(newer));
}

TEST_F(AclEvent, OlderModeIsCompleteUnlessPending) {
  const acl_event event;
  auto status = ACL_EVENT_STATUS_RESERVED;

  EXPECT_ACL_OK(aclrtQueryEvent(event, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));
  EXPECT_ACL_OK(aclrtQueryEvent(event, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeEvent(event));
  EXPECT_ACL_OK(aclrtQueryEvent(event, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
}

TEST_F(AclEvent, NewerModeRefusesQueryAndReset) {
  const acl_event event = acl_event::newer();
  auto status = ACL_EVENT_STATUS_RESERVED;
  auto waits = ACL_EVENT_WAIT_STATUS_RESERVED;

  EXPECT_EQ(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtResetEvent(event, one_), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(AclEvent, NewerModeUnrecordedHoldsNoStream) {
  const acl_event event = acl_event::newer();

  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));

  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
}

TEST_F(AclEvent, OlderModeWaitMayPrecedeRecording) {
  const acl_event event;

  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));
  EXPECT_TRUE(is_held(two_));
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
}

TEST_F(AclEvent, OlderModeResetRearmsWaits) {
  const acl_event event;
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));
  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));
  EXPECT_ACL_OK(aclrtResetEvent(event, two_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
  EXPECT_EQ(recorded(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);

  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));
  EXPECT_TRUE(is_held(two_));
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
}

TEST_F(AclEvent, OlderModeReportsWaitStatus) {
  const acl_event event;
  auto waits = ACL_EVENT_WAIT_STATUS_RESERVED;

  EXPECT_ACL_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));
  EXPECT_ACL_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
  EXPECT_ACL_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_F(AclEvent, LaterRecordingKeepsEarlierWaits) {
  const acl_event event = acl_event::newer();
  acl_gate first(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));
  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));
  acl_gate second(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  first.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
  EXPECT_EQ(recorded(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  second.open();
}

TEST_F(AclEvent, SynchronizeTimesOut) {
  const acl_event event;
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, short_wait_ms),
            ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, -2), ACL_ERROR_RT_PARAM_INVALID);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeEventWithTimeout(event, -1));
}

TEST_F(AclEvent, ElapsedTimeMayBeNegative) {
  const acl_event start;
  const acl_event end;
  EXPECT_ACL_OK(aclrtRecordEvent(start, one_));
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(end, one_));
  closed.wait_for_arrival();
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(one_));
  float there = 0;
  float back = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  EXPECT_ACL_OK(aclrtEventElapsedTime(&there, start, end));
  EXPECT_ACL_OK(aclrtEventElapsedTime(&back, end, start));
  EXPECT_ACL_OK(aclrtEventGetTimestamp(start, &first));
  EXPECT_ACL_OK(aclrtEventGetTimestamp(end, &last));

  EXPECT_GT(there, 0.0F);
  EXPECT_EQ(back, -there);
  EXPECT_NEAR(static_cast<double>(last - first) / 1000, there, 0.01);
}

TEST_F(AclEvent, ElapsedTimeNeedsCompleteEvents) {
  const acl_event start;
  const acl_event end;
  float ms = 0;

  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_ACL_OK(aclrtRecordEvent(start, one_));
  acl_gate closed(one_);
  EXPECT_ACL_OK(aclrtRecordEvent(end, one_));
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  EXPECT_EQ(aclrtEventElapsedTime(nullptr, start, end), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclEvent, ElapsedTimeNeedsTimeLine) {
  const acl_event event = acl_event::newer(ACL_EVENT_SYNC);
  float ms = 0;
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(one_));

  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
}

TEST_F(AclEvent, StreamWaitNeedsSyncFlag) {
  const acl_event event(ACL_EVENT_CAPTURE_STREAM_PROGRESS);
  EXPECT_ACL_OK(aclrtRecordEvent(event, one_));

  EXPECT_EQ(aclrtStreamWaitEvent(two_, event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtSynchronizeEvent(event));
}

TEST_F(AclEvent, UnknownHandleIsRefused) {
  aclrtEvent gone = nullptr;
  must_acl(aclrtCreateEvent(&gone));
  must_acl(aclrtDestroyEvent(gone));
  auto status = static_cast<aclrtEventRecordedStatus>(7);

  for (aclrtEvent wrong : {gone, static_cast<aclrtEvent>(one_), static_cast<aclrtEvent>(&gone)}) {
    EXPECT_EQ(aclrtRecordEvent(wrong, one_), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtStreamWaitEvent(one_, wrong), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtSynchronizeEvent(wrong), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtQueryEventStatus(wrong, &status), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtDestroyEvent(wrong), ACL_ERROR_RT_INVALID_HANDLE);
  }
  EXPECT_EQ(aclrtCreateEvent(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateEventWithFlag(&gone, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclEvent, NullMeansDefaultStream) {
  const acl_event event = acl_event::newer();
  acl_gate closed(nullptr);

  EXPECT_ACL_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_ACL_OK(aclrtStreamWaitEvent(two_, event));

  EXPECT_TRUE(is_held(two_));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(two_));
}

}  // namespace
}  // namespace convoy::test
