#include <set>
#include <thread>

#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

TEST(CudaStream, PriorityRangeStartsAtZero) {
  int least = 1;
  int greatest = 1;

  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(nullptr, nullptr), cudaSuccess);

  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
}

TEST(CudaStream, PriorityIsClamped) {
  cudaStream_t stream = nullptr;
  int priority = 0;

  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99), cudaSuccess);

  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(CudaStream, HasFlagsAndDevice) {
  const cuda_stream blocking;
  unsigned flags = 77;
  int device = 77;
  EXPECT_EQ(cudaStreamGetFlags(blocking, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamDefault});

  on_device(1, [&] {
    const cuda_stream there(cudaStreamNonBlocking);
    EXPECT_EQ(cudaStreamGetFlags(there, &flags), cudaSuccess);
    EXPECT_EQ(cudaStreamGetDevice(there, &device), cudaSuccess);
  });

  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(device, 1);
}

TEST(CudaStream, UnknownFlagsAreRefused) {
  cudaStream_t stream = nullptr;

  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
}

TEST(CudaStream, IdIsUnique) {
  const cuda_stream one;
  const cuda_stream other;
  std::set<unsigned long long> ids;

  for (const cudaStream_t each :
       {cudaStream_t{one}, cudaStream_t{other}, cudaStreamLegacy, cudaStreamPerThread}) {
    unsigned long long id = 0;
    EXPECT_EQ(cudaStreamGetId(each, &id), cudaSuccess);
    ids.insert(id);
  }

  EXPECT_EQ(ids.size(), 4U);
}

TEST(CudaStream, QueryIsNotReadyWhilePending) {
  const cuda_stream stream;
  cuda_gate closed(stream);

  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);

  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST(CudaStream, DestroyedStreamFinishesItsWork) {
  const cuda_memory source(memory_kind::pinned, numbered(64));
  const cuda_memory target(memory_kind::device, bytes(64));
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream));
  cuda_gate closed(stream);
  must(cudaMemcpyAsync(target.data(), source.data(), 64, cudaMemcpyDefault, stream));

  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  closed.open();

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(64));
}

TEST(CudaStream, DestroyedAndUnknownStreamsDiffer) {
  cudaStream_t gone = nullptr;
  must(cudaStreamCreate(&gone));
  must(cudaStreamDestroy(gone));
  const auto never = reinterpret_cast<cudaStream_t>(0xDEAD0000);

  EXPECT_EQ(cudaStreamQuery(gone), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaStreamSynchronize(gone), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaStreamDestroy(gone), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaStreamQuery(never), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(never), cudaErrorInvalidResourceHandle);
}

TEST(CudaStream, DefaultStreamCannotBeDestroyed) {
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(cudaStreamPerThread), cudaErrorInvalidResourceHandle);
}

TEST(CudaStream, AttributesAreStoredAndCopied) {
  const cuda_stream stream;
  const cuda_stream other;
  cudaStreamAttrValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;

  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value),
            cudaSuccess);
  EXPECT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);

  cudaStreamAttrValue found = {};
  EXPECT_EQ(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &found),
            cudaSuccess);
  EXPECT_EQ(found.syncPolicy, cudaSyncPolicyYield);
}

TEST(CudaStream, IsNotCapturing) {
  const cuda_stream stream;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  cudaStreamCaptureStatus same = cudaStreamCaptureStatusActive;

  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &same, nullptr), cudaSuccess);

  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(same, cudaStreamCaptureStatusNone);
}

TEST(CudaCaptureMode, ExchangeReturnsPreviousMode) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;

  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);

  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
}

TEST(CudaHostFunction, RunsInStreamOrder) {
  struct notes {
    int before = 0;
    int seen = 0;
    std::thread::id thread;
  } found;
  const cuda_stream stream;

  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void* n) { static_cast<notes*>(n)->before = 1; }, &found),
            cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream,
                [](void* n) {
                  auto& into = *static_cast<notes*>(n);
                  into.seen = into.before;
                  into.thread = std::this_thread::get_id();
                },
                &found),
            cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(found.seen, 1);
  EXPECT_NE(found.thread, std::this_thread::get_id());
}

TEST(CudaHostFunction, LaterWorkWaitsForIt) {
  const cuda_stream stream;
  const cuda_event event;
  cuda_gate closed(stream);

  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);

  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
}

// What a host function got for an answer to each of its calls.
struct calls_from_inside {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  unsigned char* device = nullptr;
  unsigned char* pinned = nullptr;
  std::vector<cudaError_t> answers = {};
};

void wait_inside(void* argument) {
  auto& call = *static_cast<calls_from_inside*>(argument);
  call.answers = {cudaStreamSynchronize(call.stream),
                  cudaEventSynchronize(call.event),
                  cudaDeviceSynchronize(),
                  cudaFree(call.device),
                  cudaMemcpy(call.device, call.pinned, 64, cudaMemcpyHostToDevice),
                  cudaMemset(call.pinned, 0, 64),
                  cudaDeviceReset()};
}

void submit_inside(void* argument) {
  auto& call = *static_cast<calls_from_inside*>(argument);
  call.answers = {
      cudaStreamQuery(call.stream), cudaEventQuery(call.event),
      cudaMemcpyAsync(call.device, call.pinned, 64, cudaMemcpyHostToDevice, call.stream)};
}

class CudaCallsInHostFunctions : public testing::Test {
 protected:
  const cuda_stream stream;
  const cuda_event event;
  const cuda_memory device{memory_kind::device, bytes(64)};
  const cuda_memory pinned{memory_kind::pinned, numbered(64)};
  calls_from_inside inside{stream, event, device.data(), pinned.data()};
};

TEST_F(CudaCallsInHostFunctions, WaitingCallsAreRefused) {
  EXPECT_EQ(cudaLaunchHostFunc(stream, wait_inside, &inside), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  EXPECT_EQ(inside.answers, std::vector(7, cudaErrorNotPermitted));
  EXPECT_EQ(pinned.contents(), numbered(64));
  EXPECT_EQ(device.contents(), bytes(64));
}

TEST_F(CudaCallsInHostFunctions, CallbacksRefuseWaitingCalls) {
  EXPECT_EQ(cudaStreamAddCallback(
                stream, [](cudaStream_t, cudaError_t, void* argument) { wait_inside(argument); },
                &inside, 0),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  EXPECT_EQ(inside.answers, std::vector(7, cudaErrorNotPermitted));
}

TEST_F(CudaCallsInHostFunctions, OtherCallsSucceed) {
  EXPECT_EQ(cudaLaunchHostFunc(stream, submit_inside, &inside), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  EXPECT_EQ(inside.answers, (std::vector{cudaErrorNotReady, cudaSuccess, cudaSuccess}));
  EXPECT_EQ(device.contents(), numbered(64));
}

TEST(CudaHostFunction, NullIsRefused) {
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST(CudaCallback, ReceivesStreamAndStatus) {
  struct notes {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } found;
  const cuda_stream stream;

  EXPECT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t callback_stream, cudaError_t status, void* n) {
                  *static_cast<notes*>(n) = {callback_stream, status};
                },
                &found, 0),
            cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(found.stream, cudaStream_t{stream});
  EXPECT_EQ(found.status, cudaSuccess);
}

TEST(CudaCallback, ReceivesFailureOfEarlierCopy) {
  cudaError_t found = cudaSuccess;
  const cuda_stream stream;
  const unmapped_page unmapped;
  const cuda_memory target(memory_kind::device, bytes(64));
  cuda_batch work;
  work.add(target.data(), unmapped.data(), 64);
  must(work.submit(stream));

  EXPECT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t, cudaError_t status, void* into) {
                  *static_cast<cudaError_t*>(into) = status;
                },
                &found, 0),
            cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
  EXPECT_EQ(found, cudaErrorIllegalAddress);
}

TEST(CudaCallback, FlagsAreRefused) {
  EXPECT_EQ(cudaStreamAddCallback(
                nullptr, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 1),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace convoy::test
