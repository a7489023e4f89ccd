#include <atomic>
#include <thread>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 64;

class DriverStream : public in_primary_context {};

TEST_F(DriverStream, QueryIsNotReadyWhilePending) {
  const driver_stream stream;
  driver_gate closed(stream);

  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  closed.open();

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
}

TEST_F(DriverStream, UnknownFlagsAreRefused) {
  CUstream made = nullptr;

  EXPECT_EQ(cuStreamCreate(&made, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverStream, HasFlagsPriorityAndDevice) {
  CUstream stream = nullptr;
  unsigned flags = 7;
  int priority = 7;
  CUdevice device = 7;
  must(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -2));

  EXPECT_EQ(cuStreamGetFlags(stream, &flags), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetPriority(stream, &priority), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetDevice(stream, &device), CUDA_SUCCESS);

  EXPECT_EQ(flags, unsigned{CU_STREAM_NON_BLOCKING});
  EXPECT_EQ(priority, -2);
  EXPECT_EQ(device, 0);
  must(cuStreamDestroy(stream));
}

TEST_F(DriverStream, PriorityRangeStartsAtZero) {
  int least = 1;
  int greatest = 1;

  EXPECT_EQ(cuCtxGetStreamPriorityRange(&least, &greatest), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetStreamPriorityRange(nullptr, nullptr), CUDA_SUCCESS);

  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, 0);
}

TEST_F(DriverStream, IdIsUnique) {
  const driver_stream first;
  const driver_stream second;
  unsigned long long one = 0;
  unsigned long long other = 0;

  EXPECT_EQ(cuStreamGetId(first, &one), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetId(second, &other), CUDA_SUCCESS);

  EXPECT_NE(one, other);
}

TEST_F(DriverStream, PtszZeroIsPerThreadStream) {
  unsigned long long zero = 0;
  unsigned long long own = 0;

  EXPECT_EQ(cuStreamGetId_ptsz(nullptr, &zero), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetId(CU_STREAM_PER_THREAD, &own), CUDA_SUCCESS);

  EXPECT_EQ(zero, own);
}

TEST_F(DriverStream, DefaultStreamFollowsCurrentContext) {
  CUcontext found = nullptr;

  EXPECT_EQ(cuStreamGetCtx(nullptr, &found), CUDA_SUCCESS);

  EXPECT_EQ(found, static_cast<CUcontext>(primary));
}

TEST_F(DriverStream, DefaultStreamCannotBeDestroyed) {
  EXPECT_EQ(cuStreamDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverStream, LegacyStreamWaitsForBlockingStreams) {
  const driver_stream blocking(CU_STREAM_DEFAULT);
  const driver_memory target{bytes(size)};
  driver_gate closed(blocking);

  EXPECT_EQ(cuMemsetD8Async(target, 1, size, nullptr), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 1));
}

TEST_F(DriverStream, AttributesAreStoredAndCopied) {
  const driver_stream stream;
  const driver_stream copy;
  CUstreamAttrValue value = {};
  CUstreamAttrValue found = {};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;

  EXPECT_EQ(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_SUCCESS);
  EXPECT_EQ(cuStreamCopyAttributes(copy, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetAttribute(copy, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &found),
            CUDA_SUCCESS);

  EXPECT_EQ(found.syncPolicy, CU_SYNC_POLICY_YIELD);
}

TEST_F(DriverStream, IsNotCapturing) {
  const driver_stream stream;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;

  EXPECT_EQ(cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);

  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(DriverStream, CallbackReceivesStatus) {
  const driver_stream stream;
  std::atomic<int> received = -1;
  const CUstreamCallback store = [](CUstream, CUresult status, void* into) {
    static_cast<std::atomic<int>*>(into)->store(status);
  };

  EXPECT_EQ(cuStreamAddCallback(stream, store, &received, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamAddCallback(stream, store, &received, 1), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(received, CUDA_SUCCESS);
}

TEST_F(DriverStream, HostFunctionRunsInStreamOrder) {
  const driver_stream stream;
  const driver_memory target{bytes(size)};
  driver_gate closed(stream);

  EXPECT_EQ(cuMemsetD8Async(target, 3, size, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchHostFunc(stream, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 3));
}

TEST_F(DriverStream, WaitingInHostFunctionIsRefused) {
  const driver_stream stream;
  struct calls {
    CUstream stream;
    CUresult synchronize;
    CUresult release;
  } inside{stream, CUDA_SUCCESS, CUDA_SUCCESS};
  const auto wait = [](void* argument) {
    auto& results = *static_cast<calls*>(argument);
    results.synchronize = cuStreamSynchronize(results.stream);
    results.release = cuDevicePrimaryCtxRelease(0);
  };

  EXPECT_EQ(cuLaunchHostFunc(stream, wait, &inside), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);

  EXPECT_EQ(inside.synchronize, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(inside.release, CUDA_ERROR_NOT_PERMITTED);
}

class DriverEvent : public in_primary_context {
 protected:
  const driver_stream stream;
};

TEST_F(DriverEvent, UnrecordedEventIsComplete) {
  const driver_event event;

  EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
}

TEST_F(DriverEvent, CompletesAfterEarlierWork) {
  const driver_event event;
  driver_gate closed(stream);

  EXPECT_EQ(cuEventRecord(event, stream), CUDA_SUCCESS);

  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  closed.open();
  EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cuEventQuery(event), CUDA_SUCCESS);
}

TEST_F(DriverEvent, HoldsWaitingStream) {
  const driver_stream later;
  const driver_event event;
  const driver_memory target{bytes(size)};
  driver_gate closed(stream);
  must(cuEventRecord(event, stream));

  EXPECT_EQ(cuStreamWaitEvent(later, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8Async(target, 1, size, later), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(later), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 1));
}

TEST_F(DriverEvent, ElapsedTimeIsBetweenEvents) {
  const driver_event start;
  const driver_event end;
  float took = -1;
  must(cuEventRecord(start, stream));
  must(cuEventRecord(end, stream));
  must(cuEventSynchronize(end));

  EXPECT_EQ(cuEventElapsedTime(&took, start, end), CUDA_SUCCESS);

  EXPECT_GE(took, 0);
}

TEST_F(DriverEvent, ElapsedTimeNeedsTiming) {
  const driver_event start(CU_EVENT_DISABLE_TIMING);
  const driver_event never;
  float took = -1;
  must(cuEventRecord(start, stream));
  must(cuEventSynchronize(start));

  EXPECT_EQ(cuEventElapsedTime(&took, start, start), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventElapsedTime(&took, never, never), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverEvent, InterprocessNeedsDisabledTiming) {
  CUevent made = nullptr;

  EXPECT_EQ(cuEventCreate(&made, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverEvent, RecordOnOtherDeviceIsRefused) {
  const primary_context second(1);
  CUevent elsewhere = nullptr;
  {
    const pushed there(second);
    must(cuEventCreate(&elsewhere, 0));
  }

  EXPECT_EQ(cuEventRecord(elsewhere, stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamWaitEvent(stream, elsewhere, 0), CUDA_SUCCESS);

  must(cuEventDestroy(elsewhere));
}

TEST_F(DriverEvent, DestroyedEventIsReported) {
  CUevent gone = nullptr;
  must(cuEventCreate(&gone, 0));
  must(cuEventDestroy(gone));

  EXPECT_EQ(cuEventRecord(gone, stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuEventQuery(gone), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuEventDestroy(gone), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

}  // namespace
}  // namespace convoy::test
