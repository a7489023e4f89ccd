#include "support/cuda.hpp"

namespace convoy::test {
namespace {

TEST(CudaEvent, UnrecordedEventIsComplete) {
  const cuda_event event;
  const cuda_stream stream;

  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST(CudaEvent, CompletesAfterEarlierWork) {
  const cuda_stream stream;
  const cuda_event event;
  cuda_gate closed(stream);

  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);

  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
}

TEST(CudaEvent, HoldsWaitingStreamOfAnyDevice) {
  const cuda_stream stream;
  const cuda_event event;
  cuda_gate closed(stream);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);

  on_device(1, [&] {
    const cuda_stream there;
    EXPECT_EQ(cudaStreamWaitEvent(there, event, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(there), cudaErrorNotReady);
    closed.open();
    EXPECT_EQ(cudaStreamSynchronize(there), cudaSuccess);
  });
}

TEST(CudaEvent, LaterRecordingKeepsEarlierWaits) {
  const cuda_stream first;
  const cuda_stream second;
  const cuda_stream waiting;
  const cuda_event event;
  EXPECT_EQ(cudaEventRecord(event, first), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(waiting, event, 0), cudaSuccess);
  const cuda_gate closed(second);

  EXPECT_EQ(cudaEventRecord(event, second), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(waiting), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
}

TEST(CudaEvent, MayBeDestroyedBeforeCompletion) {
  const cuda_stream stream;
  const cuda_stream waiting;
  cudaEvent_t event = nullptr;
  must(cudaEventCreate(&event));
  cuda_gate closed(stream);
  must(cudaEventRecord(event, stream));
  must(cudaStreamWaitEvent(waiting, event, 0));

  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(waiting), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(waiting), cudaSuccess);
}

TEST(CudaEvent, CreationFlagsAreChecked) {
  cudaEvent_t event = nullptr;

  EXPECT_EQ(cudaEventCreateWithFlags(&event, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
            cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST(CudaEvent, RecordAndWaitFlagsAreChecked) {
  const cuda_event event;

  EXPECT_EQ(cudaEventRecordWithFlags(event, nullptr, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventRecordWithFlags(event, nullptr, cudaEventRecordDefault), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 2), cudaErrorInvalidValue);
}

TEST(CudaEvent, RecordOnOtherDeviceIsRefused) {
  const cuda_event event;

  on_device(1, [&] {
    const cuda_stream there;
    EXPECT_EQ(cudaEventRecord(event, there), cudaErrorInvalidResourceHandle);
  });
}

TEST(CudaEvent, DestroyedAndUnknownEventsDiffer) {
  cudaEvent_t gone = nullptr;
  must(cudaEventCreate(&gone));
  must(cudaEventDestroy(gone));

  EXPECT_EQ(cudaEventQuery(gone), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(reinterpret_cast<cudaEvent_t>(0x1230)),
            cudaErrorInvalidResourceHandle);
}

TEST(CudaElapsedTime, IsBetweenTwoEvents) {
  const cuda_stream stream;
  const cuda_event start;
  const cuda_event end;
  float milliseconds = -1;
  must(cudaEventRecord(start, stream));
  must(cudaEventRecord(end, stream));
  must(cudaStreamSynchronize(stream));

  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);

  EXPECT_GE(milliseconds, 0);
  EXPECT_LT(milliseconds, 10000);
}

TEST(CudaElapsedTime, NeedsRecordedEventsWithTiming) {
  const cuda_event recorded;
  const cuda_event never;
  const cuda_event timeless(cudaEventDisableTiming);
  float milliseconds = 0;
  must(cudaEventRecord(recorded, nullptr));
  must(cudaEventRecord(timeless, nullptr));
  must(cudaDeviceSynchronize());

  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, recorded, never), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timeless, recorded),
            cudaErrorInvalidResourceHandle);
}

TEST(CudaElapsedTime, IsNotReadyBeforeBothComplete) {
  const cuda_stream stream;
  const cuda_event start;
  const cuda_event end;
  float milliseconds = 0;
  must(cudaEventRecord(start, stream));
  const cuda_gate closed(stream);
  must(cudaEventRecord(end, stream));

  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
}

}  // namespace
}  // namespace convoy::test
