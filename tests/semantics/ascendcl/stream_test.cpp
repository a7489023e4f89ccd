#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

class AclStream : public AclTest {};

TEST_F(AclStream, RunsWorkInOrder) {
  const acl_stream stream;
  std::vector<int> order;
  struct note {
    std::vector<int>* into;
    int number;
  };
  note first{&order, 1};
  note second{&order, 2};
  const auto write = [](void* argument) {
    const auto* const n = static_cast<note*>(argument);
    n->into->push_back(n->number);
  };

  EXPECT_ACL_OK(aclrtLaunchHostFunc(stream, write, &first));
  EXPECT_ACL_OK(aclrtLaunchHostFunc(stream, write, &second));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));

  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST_F(AclStream, QueryReportsPendingWork) {
  const acl_stream stream;
  acl_gate closed(stream);

  EXPECT_FALSE(is_empty(stream));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));

  EXPECT_TRUE(is_empty(stream));
  EXPECT_EQ(aclrtStreamQuery(stream, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStream, SynchronizeTimesOut) {
  const acl_stream stream;
  acl_gate closed(stream);

  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -2), ACL_ERROR_RT_PARAM_INVALID);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
}

TEST_F(AclStream, OtherContextMayOnlyWait) {
  const acl_event event;
  const aclrtContext mine = current_context();
  const acl_stream stream;
  const aclrtContext other = create_context();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(is_empty(stream));
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtStreamAbort(stream), ACL_ERROR_RT_STREAM_CONTEXT);

  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclStream, UnknownHandleIsRefused) {
  aclrtStream gone = destroyed_stream();
  const acl_event event;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;

  for (aclrtStream wrong :
       {gone, static_cast<aclrtStream>(event), static_cast<aclrtStream>(&gone)}) {
    EXPECT_EQ(aclrtSynchronizeStream(wrong), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtStreamQuery(wrong, &status), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtDestroyStream(wrong), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtRecordEvent(event, wrong), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtStreamWaitEvent(wrong, event), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclrtStreamAbort(wrong), ACL_ERROR_RT_INVALID_HANDLE);
  }
}

TEST_F(AclStream, DestroyWaitsForWork) {
  aclrtStream stream = nullptr;
  must_acl(aclrtCreateStream(&stream));
  std::atomic<int> ran = 0;
  launch_counters(stream, 100, ran);

  EXPECT_ACL_OK(aclrtDestroyStream(stream));

  EXPECT_EQ(ran, 100);
}

TEST_F(AclStream, ForcedDestroyDropsWork) {
  const acl_memory device = on_device(zeros(8));
  aclrtStream stream = nullptr;
  must_acl(aclrtCreateStream(&stream));
  acl_gate closed(stream);
  closed.wait_for_arrival();
  must_acl(aclrtMemsetAsync(device.data(), 8, 1, 8, stream));

  EXPECT_ACL_OK(aclrtDestroyStreamForce(stream));
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(contents_of(device), zeros(8));
}

TEST_F(AclStream, DefaultStreamCannotBeDestroyed) {
  aclrtStream default_stream = nullptr;
  must_acl(aclrtCtxGetCurrentDefaultStream(&default_stream));

  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyStream(default_stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtSynchronizeStream(default_stream));
}

TEST_F(AclStream, AbortDropsWork) {
  const acl_stream stream;
  const acl_event behind;
  const acl_memory device = on_device(zeros(8));
  acl_gate closed(stream);
  closed.wait_for_arrival();
  must_acl(aclrtMemsetAsync(device.data(), 8, 1, 8, stream));
  must_acl(aclrtRecordEvent(behind, stream));

  EXPECT_ACL_OK(aclrtStreamAbort(stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  closed.open();

  EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(contents_of(device), zeros(8));
}

TEST_F(AclStream, AbortEndsValueWait) {
  const acl_stream stream;
  const acl_event behind;
  const acl_memory value = on_device(zeros(8));
  must_acl(aclrtValueWait(value.data(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  must_acl(aclrtRecordEvent(behind, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);

  EXPECT_ACL_OK(aclrtStreamAbort(stream));

  EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(AclStream, NextSynchronizeAnswersAbort) {
  const acl_stream stream;
  const acl_memory device = on_device(zeros(8));
  acl_gate closed(stream);
  closed.wait_for_arrival();
  must_acl(aclrtMemsetAsync(device.data(), 8, 1, 8, stream));
  must_acl(aclrtStreamAbort(stream));
  closed.open();
  must_acl(aclrtMemsetAsync(device.data(), 8, 2, 8, stream));

  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_ABORT);

  EXPECT_EQ(contents_of(device), bytes(8, std::byte{2}));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclStream, EmptyStreamHasNoAbortAnswer) {
  const acl_stream stream;

  EXPECT_ACL_OK(aclrtStreamAbort(stream));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclStream, SynchronizeAnswersErrorOnce) {
  const acl_stream stream;
  const acl_memory invalid_descriptor = on_device(bytes(64, std::byte{0x55}));

  EXPECT_ACL_OK(aclrtMemcpyAsyncWithDesc(invalid_descriptor.data(),
                                         ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_COPY_DATA);
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));

  EXPECT_ACL_OK(aclrtMemcpyAsyncWithDesc(invalid_descriptor.data(),
                                         ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_COPY_DATA);
  EXPECT_ACL_OK(aclrtSynchronizeDevice());
}

TEST_F(AclStream, AbortKeepsEarlierError) {
  const acl_stream stream;
  const acl_memory invalid_descriptor = on_device(bytes(64, std::byte{0x55}));
  must_acl(aclrtMemcpyAsyncWithDesc(invalid_descriptor.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
                                    stream));
  acl_gate closed(stream);
  closed.wait_for_arrival();
  must_acl(aclrtMemsetAsync(invalid_descriptor.data(), 64, 1, 64, stream));
  auto waiting = std::async(std::launch::async, [&] { return aclrtSynchronizeStream(stream); });

  must_acl(aclrtStreamAbort(stream));
  closed.open();

  EXPECT_EQ(waiting.get(), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_COPY_DATA);
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclStream, SynchronizeSkipsPersistentStreams) {
  for (const std::uint32_t flag :
       {ACL_STREAM_PERSISTENT, ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_CPU_SCHEDULE}) {
    aclrtStream stream = nullptr;
    must_acl(aclrtCreateStreamWithConfig(&stream, 0, flag));
    acl_gate closed(stream);

    EXPECT_ACL_OK(aclrtSynchronizeStream(stream));

    EXPECT_FALSE(is_empty(stream));
    closed.open();
    EXPECT_ACL_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclStream, HasPriorityFlagsAndId) {
  aclrtStream stream = nullptr;
  std::uint32_t priority = 0;
  std::uint32_t flags = 0;
  std::int32_t id = -1;
  std::int32_t other_id = -1;
  const acl_stream other;
  must_acl(aclrtCreateStreamWithConfig(&stream, 5, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));

  EXPECT_ACL_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_ACL_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_ACL_OK(aclrtStreamGetId(stream, &id));
  EXPECT_ACL_OK(aclrtStreamGetId(other, &other_id));

  EXPECT_EQ(priority, 5U);
  EXPECT_EQ(flags, 3U);
  EXPECT_NE(id, other_id);
  EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, 0x40), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclStream, ConfigurationSetsPriority) {
  aclrtStreamConfigHandle* const config = aclrtCreateStreamConfigHandle();
  const std::size_t flag = ACL_STREAM_FAST_SYNC;
  const std::uint32_t priority = 3;
  aclrtStream stream = nullptr;
  std::uint32_t found_priority = 0;

  EXPECT_ACL_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
  EXPECT_ACL_OK(
      aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, 1),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_ACL_OK(aclrtCreateStreamV2(&stream, config));
  EXPECT_ACL_OK(aclrtStreamGetPriority(stream, &found_priority));
  EXPECT_ACL_OK(aclrtDestroyStreamConfigHandle(config));

  EXPECT_EQ(found_priority, 3U);
}

TEST_F(AclStream, ConfigurationTakesFlagOfEitherSize) {
  aclrtStreamConfigHandle* const config = aclrtCreateStreamConfigHandle();
  const std::uint32_t narrow = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC;
  aclrtStream stream = nullptr;
  std::uint32_t found = 0;

  EXPECT_ACL_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &narrow, sizeof narrow));
  EXPECT_ACL_OK(aclrtCreateStreamV2(&stream, config));
  EXPECT_ACL_OK(aclrtStreamGetFlags(stream, &found));
  EXPECT_EQ(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &narrow, 2),
            ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(found, narrow);
  EXPECT_ACL_OK(aclrtDestroyStream(stream));
  EXPECT_ACL_OK(aclrtDestroyStreamConfigHandle(config));
}

TEST_F(AclStream, AttributesAreStored) {
  const acl_stream stream;
  aclrtStreamAttrValue value = {};
  value.userCustomTag = 42;
  std::uint32_t overflow = 0;

  EXPECT_ACL_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  value = {};
  EXPECT_ACL_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  EXPECT_EQ(value.userCustomTag, 42U);
  EXPECT_ACL_OK(aclrtSetStreamOverflowSwitch(stream, 1));
  EXPECT_ACL_OK(aclrtGetStreamOverflowSwitch(stream, &overflow));
  EXPECT_EQ(overflow, 1U);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, static_cast<aclrtStreamAttr>(9), &value),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStream, FailureModeIsPerContext) {
  const acl_stream one;
  const acl_stream two;
  aclrtStreamAttrValue value = {};

  EXPECT_ACL_OK(aclrtSetStreamFailureMode(one, ACL_CONTINUE_ON_FAILURE));
  EXPECT_EQ(aclrtSetStreamFailureMode(one, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtSetStreamFailureMode(one, ACL_STOP_ON_FAILURE));
  EXPECT_ACL_OK(aclrtGetStreamAttribute(two, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  EXPECT_EQ(value.failureMode, ACL_STOP_ON_FAILURE);
  EXPECT_EQ(aclrtSetStreamFailureMode(two, ACL_CONTINUE_ON_FAILURE), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclStream, StopModeSkipsLaterWork) {
  const acl_stream before;
  EXPECT_ACL_OK(aclrtSetStreamFailureMode(before, ACL_STOP_ON_FAILURE));
  const acl_stream after;
  const acl_memory invalid_descriptor = on_device(bytes(64, std::byte{0x77}));
  const auto count = [](void* ran) { ++*static_cast<int*>(ran); };
  int ran = 0;

  for (aclrtStream each : {aclrtStream(before), aclrtStream(after)}) {
    EXPECT_ACL_OK(aclrtMemcpyAsyncWithDesc(invalid_descriptor.data(),
                                           ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, each));
    EXPECT_ACL_OK(aclrtLaunchHostFunc(each, count, &ran));
    EXPECT_EQ(aclrtSynchronizeStream(each), ACL_ERROR_RT_COPY_DATA);
    EXPECT_EQ(ran, 0);
  }
  EXPECT_ACL_OK(aclrtLaunchHostFunc(after, count, &ran));
  EXPECT_ACL_OK(aclrtSynchronizeStream(after));
  EXPECT_EQ(ran, 1);
}

class AclStoppedContext : public AclTest {
 protected:
  AclStoppedContext() { must_acl(aclrtSetStreamFailureMode(failing_, ACL_STOP_ON_FAILURE)); }

  // Returns when a step has failed and no call has answered the error yet.
  void fail() const {
    const acl_event behind;
    must_acl(aclrtMemcpyAsyncWithDesc(invalid_descriptor_.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
                                      failing_));
    must_acl(aclrtRecordEvent(behind, failing_));
    EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_ERROR_RT_COPY_DATA);
  }
  void write(std::size_t at, aclrtStream stream) const {
    must_acl(aclrtMemsetAsync(device_.data() + at, 1, 1, 1, stream));
  }
  [[nodiscard]] bool written(std::size_t at) const {
    return contents_of(device_.data() + at, 1) != zeros(1);
  }

  const acl_stream failing_;
  const acl_memory invalid_descriptor_ = on_device(bytes(64, std::byte{0x77}));
  const acl_memory device_ = on_device(zeros(8));
};

TEST_F(AclStoppedContext, AllStreamsSkipWork) {
  const acl_stream held;
  const acl_event behind;
  acl_gate closed(held);
  closed.wait_for_arrival();
  write(0, held);
  must_acl(aclrtRecordEvent(behind, held));
  fail();
  const acl_stream late;
  write(1, late);
  write(2, nullptr);
  closed.open();

  EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(aclrtSynchronizeStream(held), ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(aclrtSynchronizeStream(late), ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(contents_of(device_), zeros(8));
}

TEST_F(AclStoppedContext, AnsweredFailureResumesContext) {
  const acl_stream other;
  fail();
  write(0, other);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_COPY_DATA);

  write(1, other);
  write(2, failing_);

  EXPECT_ACL_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(aclrtSynchronizeStream(failing_), ACL_ERROR_RT_COPY_DATA);
  EXPECT_FALSE(written(0));
  EXPECT_TRUE(written(1));
  EXPECT_TRUE(written(2));
}

TEST_F(AclStoppedContext, DeviceSynchronizeResumesContext) {
  const acl_stream other;
  fail();
  write(0, other);

  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_COPY_DATA);
  write(1, other);

  EXPECT_ACL_OK(aclrtSynchronizeStream(other));
  EXPECT_ACL_OK(aclrtSynchronizeStream(failing_));
  EXPECT_FALSE(written(0));
  EXPECT_TRUE(written(1));
}

TEST_F(AclStoppedContext, OtherContextsContinue) {
  const aclrtContext mine = current_context();
  fail();
  const aclrtContext other = create_context();

  write(0, nullptr);

  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(written(0));
  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclStoppedContext, StreamsMayBeDestroyedMeanwhile) {
  std::atomic<bool> over = false;
  std::thread creator([&] {
    must_acl(aclrtSetDevice(0));
    while (!over) {
      const acl_stream temporary;
      write(0, temporary);
    }
    must_acl(aclrtResetDevice(0));
  });

  for (int i = 0; i != 50; ++i) {
    fail();
    EXPECT_EQ(aclrtSynchronizeStream(failing_), ACL_ERROR_RT_COPY_DATA);
  }
  over = true;
  creator.join();

  write(1, failing_);
  EXPECT_ACL_OK(aclrtSynchronizeStream(failing_));
  EXPECT_TRUE(written(1));
}

TEST_F(AclStream, ModelLimitsCount) {
  std::uint32_t before = 0;
  std::uint32_t after = 0;

  EXPECT_ACL_OK(aclrtGetStreamAvailableNum(&before));
  {
    const acl_stream one;
    EXPECT_ACL_OK(aclrtGetStreamAvailableNum(&after));
  }

  EXPECT_EQ(before, 1984U);
  EXPECT_EQ(after, 1983U);
}

class AclStreamLimit : public own_process {};

TEST_F(AclStreamLimit, CreationBeyondLimitFails) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_SOC", "Ascend310B4", 1);
        must_acl(aclrtSetDevice(0));
        aclrtStream stream = nullptr;
        for (int i = 0; i != 512; ++i) must_acl(aclrtCreateStream(&stream));
        aclrtStream more = nullptr;
        const bool refused = aclrtCreateStream(&more) == ACL_ERROR_RT_NO_STREAM_RESOURCE;
        must_acl(aclrtDestroyStream(stream));
        end_well_if(refused && aclrtCreateStream(&more) == ACL_SUCCESS);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
