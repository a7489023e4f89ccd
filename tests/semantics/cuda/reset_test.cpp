#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

// Device 1 is current, and reset by the tests.
class CudaReset : public testing::Test {
 protected:
  CudaReset() { must(cudaSetDevice(1)); }
  ~CudaReset() override { cudaSetDevice(0); }
};

TEST_F(CudaReset, FreesMemoryOfEveryKind) {
  void* on_device = nullptr;
  void* pinned = nullptr;
  void* managed = nullptr;
  bytes registered(64);
  must(cudaMalloc(&on_device, 64));
  must(cudaHostAlloc(&pinned, 64, 0));
  must(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
  must(cudaHostRegister(registered.data(), 64, 0));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaFree(on_device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(registered.data()), cudaErrorHostMemoryNotRegistered);
}

TEST_F(CudaReset, RestoresFlagsAndLimits) {
  unsigned flags = 0;
  std::size_t limit = 0;
  std::size_t before = 0;
  must(cudaDeviceGetLimit(&before, cudaLimitStackSize));
  must(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  must(cudaDeviceSetLimit(cudaLimitStackSize, before * 2));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaDeviceMapHost});
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(limit, before);
}

TEST_F(CudaReset, EndsStreams) {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorContextIsDestroyed);
}

TEST_F(CudaReset, EndsEvents) {
  cudaEvent_t event = nullptr;
  must(cudaEventCreate(&event));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaEventQuery(event), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorContextIsDestroyed);
}

TEST_F(CudaReset, FinishesPendingWork) {
  struct side_by_side {
    const bytes source = numbered(1 << 20);
    bytes target = bytes(1 << 20);
  } both;
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const auto copy = [](void* to) {
    auto& buffers = *static_cast<side_by_side*>(to);
    buffers.target = buffers.source;
  };
  must(cudaLaunchHostFunc(stream, copy, &both));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(both.target, both.source);
}

TEST_F(CudaReset, OtherDevicesAreUnaffected) {
  must(cudaSetDevice(0));
  const cuda_stream stream;
  const cuda_event event;
  const cuda_memory memory(memory_kind::device, numbered(64));
  must(cudaSetDevice(1));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(memory.contents(), numbered(64));
}

TEST_F(CudaReset, DefaultStreamsStayUsable) {
  must(cudaStreamSynchronize(cudaStreamLegacy));
  must(cudaStreamSynchronize(cudaStreamPerThread));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  const cuda_memory target(memory_kind::device, bytes(64));
  EXPECT_EQ(cudaMemsetAsync(target.data(), 1, 32, cudaStreamLegacy), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(target.data() + 32, 1, 32, cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(target.contents(), bytes(64, 1));
}

TEST_F(CudaReset, ClearsErrorsOfDefaultStreams) {
  const unmapped_page unmapped;
  void* target = nullptr;
  must(cudaMalloc(&target, 64));
  cuda_batch work;
  work.add(target, unmapped.data(), 64);
  must(work.submit(cudaStreamPerThread));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(CudaReset, EndsPoolsAndRestoresDefaults) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 1};
  cudaMemPool_t made = nullptr;
  cudaMemPool_t default_pool = nullptr;
  cudaMemPool_t current = nullptr;
  unsigned long long threshold = 1 << 20;
  must(cudaMemPoolCreate(&made, &properties));
  must(cudaDeviceSetMemPool(1, made));
  must(cudaDeviceGetDefaultMemPool(&default_pool, 1));
  must(cudaMemPoolSetAttribute(default_pool, cudaMemPoolAttrReleaseThreshold, &threshold));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaMemPoolDestroy(made), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 1), cudaSuccess);
  EXPECT_EQ(current, default_pool);
  EXPECT_EQ(cudaMemPoolGetAttribute(default_pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(threshold, 0U);
}

TEST_F(CudaReset, EndsPeerAccessBothWays) {
  must(cudaDeviceEnablePeerAccess(0, 0));
  on_device(0, [] { must(cudaDeviceEnablePeerAccess(1, 0)); });

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);

  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  on_device(0, [] { EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled); });
}

TEST_F(CudaReset, MayBeRepeated) {
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

}  // namespace
}  // namespace convoy::test
