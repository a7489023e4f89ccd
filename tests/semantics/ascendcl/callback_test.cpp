#include <pthread.h>

#include <atomic>
#include <future>
#include <thread>

#include "support/ascendcl.hpp"

namespace convoy::test {
namespace {

void count_up(void* count) { ++*static_cast<std::atomic<int>*>(count); }

class AclCallback : public AclTest {
 protected:
  static std::uint64_t this_thread() { return ::pthread_self(); }

  acl_stream stream_;
  std::atomic<int> ran_ = 0;
};

TEST_F(AclCallback, RunsInSubscribedThread) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  std::thread::id thread;

  EXPECT_ACL_OK(aclrtLaunchCallback(
      [](void* into) { *static_cast<std::thread::id*>(into) = std::this_thread::get_id(); },
      &thread, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_ACL_OK(aclrtProcessReport(-1));

  EXPECT_EQ(thread, std::this_thread::get_id());
  EXPECT_ACL_OK(aclrtUnSubscribeReport(this_thread(), stream_));
}

TEST_F(AclCallback, BlockingCallbackHoldsStream) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));

  EXPECT_ACL_OK(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_BLOCK, stream_));

  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_ACL_OK(aclrtProcessReport(1000));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ran_, 1);
}

TEST_F(AclCallback, NonBlockingCallbackHoldsNothing) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));

  EXPECT_ACL_OK(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ran_, 0);
  EXPECT_ACL_OK(aclrtProcessReport(1000));
  EXPECT_EQ(ran_, 1);
}

TEST_F(AclCallback, RunsInStreamOrder) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  const acl_event event = acl_event::newer();
  const acl_stream other;
  acl_gate closed(other);
  must_acl(aclrtRecordEvent(event, other));
  must_acl(aclrtStreamWaitEvent(stream_, event));

  EXPECT_ACL_OK(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_BLOCK, stream_));

  EXPECT_EQ(aclrtProcessReport(short_wait_ms), ACL_ERROR_RT_REPORT_TIMEOUT);
  closed.open();
  EXPECT_ACL_OK(aclrtProcessReport(-1));
  EXPECT_EQ(ran_, 1);
}

TEST_F(AclCallback, EachCallProcessesOne) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  must_acl(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));
  must_acl(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));
  must_acl(aclrtSynchronizeStream(stream_));

  EXPECT_ACL_OK(aclrtProcessReport(1000));
  EXPECT_EQ(ran_, 1);
  EXPECT_ACL_OK(aclrtProcessReport(1000));
  EXPECT_EQ(ran_, 2);
}

TEST_F(AclCallback, MissingSubscriptionIsRefused) {
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread(), stream_), ACL_ERROR_RT_STREAM_NO_CB_REG);
}

TEST_F(AclCallback, FunctionAndBlockTypeAreChecked) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));

  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran_, static_cast<aclrtCallbackBlockType>(2), stream_),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclCallback, ProcessReportChecksThreadAndTimeout) {
  EXPECT_EQ(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessReport(-2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
}

TEST_F(AclCallback, EndedSubscriptionDropsCallbacks) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  must_acl(aclrtLaunchCallback(count_up, &ran_, ACL_CALLBACK_BLOCK, stream_));

  EXPECT_ACL_OK(aclrtUnSubscribeReport(this_thread(), stream_));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ran_, 0);
}

TEST_F(AclCallback, StreamHasOneSubscribedThread) {
  must_acl(aclrtSubscribeReport(this_thread(), stream_));

  EXPECT_EQ(aclrtSubscribeReport(this_thread(), stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread() + 1, stream_), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_F(AclCallback, CallbackFamiliesDoNotMix) {
  const acl_stream other;
  must_acl(aclrtSubscribeReport(this_thread(), stream_));
  must_acl(aclrtLaunchHostFunc(other, count_up, &ran_));

  EXPECT_EQ(aclrtLaunchHostFunc(stream_, count_up, &ran_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtSubscribeReport(this_thread(), other), ACL_ERROR_RT_STREAM_SUBSCRIBE);
}

TEST_F(AclCallback, EachFamilyHasItsOwnThread) {
  const auto store_thread = [](void* into) {
    *static_cast<std::thread::id*>(into) = std::this_thread::get_id();
  };
  const acl_stream other;
  std::thread::id report;
  std::thread::id host_function;
  std::promise<std::uint64_t> processor_id;
  std::promise<void> launched;
  std::thread processor([&] {
    processor_id.set_value(this_thread());
    launched.get_future().wait();
    EXPECT_ACL_OK(aclrtProcessHostFunc(10'000));
  });
  const std::uint64_t second = processor_id.get_future().get();
  const std::thread::id second_thread = processor.get_id();

  EXPECT_ACL_OK(aclrtSubscribeReport(this_thread(), stream_));
  EXPECT_ACL_OK(aclrtSubscribeHostFunc(second, stream_));
  EXPECT_ACL_OK(aclrtSubscribeHostFunc(second, other));
  EXPECT_ACL_OK(aclrtSubscribeReport(this_thread(), other));
  EXPECT_ACL_OK(aclrtLaunchHostFunc(stream_, store_thread, &host_function));
  EXPECT_ACL_OK(aclrtLaunchCallback(store_thread, &report, ACL_CALLBACK_BLOCK, stream_));
  launched.set_value();
  EXPECT_ACL_OK(aclrtProcessReport(10'000));
  processor.join();

  EXPECT_EQ(report, std::this_thread::get_id());
  EXPECT_EQ(host_function, second_thread);
}

class AclHostFunction : public AclCallback {};

TEST_F(AclHostFunction, RunsWithoutSubscription) {
  const acl_memory device = on_device(zeros(8));
  acl_gate closed(stream_);
  EXPECT_ACL_OK(aclrtLaunchHostFunc(stream_, count_up, &ran_));
  EXPECT_ACL_OK(aclrtMemsetAsync(device.data(), 8, 1, 8, stream_));

  EXPECT_EQ(ran_, 0);
  EXPECT_EQ(contents_of(device), zeros(8));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(ran_, 1);
  EXPECT_EQ(aclrtLaunchHostFunc(stream_, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclHostFunction, RunsInSubscribedThread) {
  EXPECT_ACL_OK(aclrtSubscribeHostFunc(this_thread(), stream_));

  EXPECT_ACL_OK(aclrtLaunchHostFunc(stream_, count_up, &ran_));

  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_ACL_OK(aclrtProcessHostFunc(1000));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(ran_, 1);
  EXPECT_ACL_OK(aclrtUnSubscribeHostFunc(this_thread(), stream_));
}

class AclStateCallback : public AclCallback {};

TEST_F(AclStateCallback, ReportsStreamCreationAndDestruction) {
  static std::vector<aclrtStreamState> states;
  states.clear();
  EXPECT_ACL_OK(aclrtRegStreamStateCallback(
      "test", [](aclrtStream, aclrtStreamState state, void*) { states.push_back(state); },
      nullptr));

  { const acl_stream brief; }
  EXPECT_ACL_OK(aclrtRegStreamStateCallback("test", nullptr, nullptr));
  { const acl_stream unseen; }

  EXPECT_EQ(states,
            (std::vector{ACL_RT_STREAM_STATE_CREATE_POST, ACL_RT_STREAM_STATE_DESTROY_PRE}));
  EXPECT_EQ(aclrtRegStreamStateCallback(nullptr, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStateCallback, ReportsDeviceSetAndReset) {
  static std::vector<std::uint32_t> devices;
  devices.clear();
  EXPECT_ACL_OK(aclrtRegDeviceStateCallback(
      "test", [](std::uint32_t device, aclrtDeviceState, void*) { devices.push_back(device); },
      nullptr));

  must_acl(aclrtSetDevice(1));
  must_acl(aclrtResetDevice(1));

  EXPECT_EQ(devices, (std::vector<std::uint32_t>{1, 1, 1, 1}));
  EXPECT_ACL_OK(aclrtRegDeviceStateCallback("test", nullptr, nullptr));
  EXPECT_ACL_OK(aclrtSetDevice(0));
}

}  // namespace
}  // namespace convoy::test
