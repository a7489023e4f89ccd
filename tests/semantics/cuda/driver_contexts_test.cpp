#include <thread>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

// No context is current when a test begins and ends.
class DriverContexts : public testing::Test {
 protected:
  void SetUp() override {
    must(cuInit(0));
    must(cuCtxSetCurrent(nullptr));
  }
  void TearDown() override { EXPECT_EQ(current(), nullptr); }
};

TEST_F(DriverContexts, RetainMakesNothingCurrent) {
  const primary_context primary(0);

  EXPECT_EQ(current(), nullptr);
}

TEST_F(DriverContexts, PushAndPopFormAStack) {
  const primary_context first(0);
  const primary_context second(1);
  CUcontext popped = nullptr;

  EXPECT_EQ(cuCtxPushCurrent(first), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxPushCurrent(second), CUDA_SUCCESS);

  EXPECT_EQ(current(), second);
  EXPECT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, second);
  EXPECT_EQ(current(), first);
  EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
}

TEST_F(DriverContexts, EmptyStackCannotBePopped) {
  EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, SetReplacesTheTop) {
  const primary_context first(0);
  const primary_context second(1);
  const pushed below(first);

  EXPECT_EQ(cuCtxSetCurrent(second), CUDA_SUCCESS);

  EXPECT_EQ(current(), second);
}

TEST_F(DriverContexts, SetToNullPopsTheTop) {
  const primary_context first(0);
  must(cuCtxPushCurrent(first));

  EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);

  EXPECT_EQ(current(), nullptr);
}

TEST_F(DriverContexts, EachThreadHasItsOwnStack) {
  const primary_context primary(0);
  const pushed here(primary);
  CUcontext elsewhere = primary;

  std::thread([&] { elsewhere = current(); }).join();

  EXPECT_EQ(elsewhere, nullptr);
}

TEST_F(DriverContexts, CallsLeaveTheStackUnchanged) {
  const primary_context primary(0);
  CUstream stream = nullptr;
  {
    const pushed here(primary);
    must(cuStreamCreate(&stream, 0));
  }

  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);

  EXPECT_EQ(current(), nullptr);
}

TEST_F(DriverContexts, CreationNeedsCurrentContext) {
  CUdeviceptr got = 0;
  CUstream stream = nullptr;
  CUdevice device = 0;

  EXPECT_EQ(cuMemAlloc(&got, 64), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, DeviceHasOnePrimaryContext) {
  const primary_context once(1);
  const primary_context again(1);

  EXPECT_EQ(static_cast<CUcontext>(once), static_cast<CUcontext>(again));
}

TEST_F(DriverContexts, PrimaryEndsWithLastRelease) {
  unsigned flags = 0;
  int active = 0;
  CUcontext primary = nullptr;
  must(cuDevicePrimaryCtxRetain(&primary, 1));
  must(cuDevicePrimaryCtxRetain(&primary, 1));

  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(1, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(1, &flags, &active), CUDA_SUCCESS);

  EXPECT_EQ(active, 0);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, PrimaryStoresFlags) {
  unsigned flags = 0;
  int active = 0;

  EXPECT_EQ(cuDevicePrimaryCtxSetFlags(1, CU_CTX_SCHED_BLOCKING_SYNC), CUDA_SUCCESS);

  EXPECT_EQ(cuDevicePrimaryCtxGetState(1, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(flags, unsigned{CU_CTX_SCHED_BLOCKING_SYNC});
  EXPECT_EQ(cuDevicePrimaryCtxSetFlags(1, 0x10000), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContexts, PrimaryCannotBeDestroyed) {
  const primary_context primary(0);

  EXPECT_EQ(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, UnknownDeviceIsRefused) {
  CUcontext made = nullptr;

  EXPECT_EQ(cuDevicePrimaryCtxRetain(&made, 99), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&made, -1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 99), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverContexts, CreatedContextIsCurrentUntilDestroyed) {
  CUcontext made = nullptr;
  CUdevice device = 0;

  EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 1), CUDA_SUCCESS);

  EXPECT_EQ(current(), made);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
}

TEST_F(DriverContexts, DestroyedContextIsRefused) {
  CUcontext made = nullptr;
  must(cuCtxCreate(&made, nullptr, 0, 0));
  must(cuCtxDestroy(made));

  EXPECT_EQ(cuCtxPushCurrent(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxSetCurrent(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxDestroy(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

TEST_F(DriverContexts, OtherStacksKeepDestroyedContext) {
  CUcontext made = nullptr;
  must(cuCtxCreate(&made, nullptr, 0, 0));

  std::thread([made] { must(cuCtxDestroy(made)); }).join();

  EXPECT_EQ(current(), made);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_SUCCESS);
}

TEST_F(DriverContexts, UnknownHandleIsRefused) {
  int something = 0;

  EXPECT_EQ(cuCtxPushCurrent(reinterpret_cast<CUcontext>(&something)), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPushCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContexts, ContentsEndWithContext) {
  CUcontext made = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  unsigned type = 0;
  must(cuCtxCreate(&made, nullptr, 0, 0));
  must(cuStreamCreate(&stream, 0));
  must(cuMemAlloc(&memory, 64));

  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContexts, RuntimeObjectsEndWithContext) {
  CUcontext made = nullptr;
  cudaEvent_t event = nullptr;
  must(cuCtxCreate(&made, nullptr, 0, 0));
  must(cudaEventCreate(&event));

  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);

  EXPECT_EQ(cudaEventQuery(event), cudaErrorContextIsDestroyed);
}

TEST_F(DriverContexts, LastReleaseEndsContentsOfPrimary) {
  CUcontext primary = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr memory = 0;
  must(cuDevicePrimaryCtxRetain(&primary, 1));
  must(cuDevicePrimaryCtxRetain(&primary, 1));
  {
    const pushed here(primary);
    must(cuStreamCreate(&stream, 0));
    must(cuEventCreate(&event, 0));
    must(cuMemAlloc(&memory, 64));
  }

  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContexts, ResetEndsContentsOfPrimary) {
  const primary_context primary(1);
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  {
    const pushed here(primary);
    must(cuStreamCreate(&stream, 0));
    must(cuMemAlloc(&memory, 64));
  }

  EXPECT_EQ(cuDevicePrimaryCtxReset(1), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamDestroy(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContexts, ResetKeepsCreatedContexts) {
  CUcontext made = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  must(cuCtxCreate(&made, nullptr, 0, 1));
  must(cuStreamCreate(&stream, 0));
  must(cuMemAlloc(&memory, 64));

  EXPECT_EQ(cuDevicePrimaryCtxReset(1), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
  must(cuCtxDestroy(made));
}

TEST_F(DriverContexts, StreamsAndMemoryReportTheirContext) {
  CUcontext made = nullptr;
  CUcontext of_stream = nullptr;
  CUcontext of_memory = nullptr;
  must(cuCtxCreate(&made, nullptr, 0, 0));
  {
    const driver_stream stream;
    const driver_memory memory(numbered(64));

    EXPECT_EQ(cuStreamGetCtx(stream, &of_stream), CUDA_SUCCESS);
    EXPECT_EQ(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_CONTEXT, memory),
              CUDA_SUCCESS);
  }

  EXPECT_EQ(of_stream, made);
  EXPECT_EQ(of_memory, made);
  must(cuCtxDestroy(made));
}

TEST_F(DriverContexts, RuntimeFreeForgetsContextOfMemory) {
  CUcontext made = nullptr;
  CUcontext found = nullptr;
  CUdeviceptr memory = 0;
  must(cuCtxCreate(&made, nullptr, 0, 0));
  must(cuMemAlloc(&memory, 64));
  must(cudaFree(pointer(memory)));
  must(cuCtxPopCurrent(nullptr));
  const primary_context primary(0);
  {
    const pushed here(primary);
    must(cuMemAlloc(&memory, 64));
  }

  EXPECT_EQ(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_CONTEXT, memory), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);

  EXPECT_EQ(found, static_cast<CUcontext>(primary));
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

TEST_F(DriverContexts, RuntimeUsesPrimaryContext) {
  const primary_context primary(0);

  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);

  EXPECT_EQ(current(), static_cast<CUcontext>(primary));
  must(cuCtxPopCurrent(nullptr));
}

TEST_F(DriverContexts, RuntimeRetainsPrimaryContext) {
  CUcontext primary = nullptr;
  void* memory = nullptr;
  must(cuDevicePrimaryCtxRetain(&primary, 1));
  {
    const pushed here(primary);
    must(cudaMalloc(&memory, 64));
  }

  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);

  EXPECT_EQ(cuMemFree(address(memory)), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxReset(1), CUDA_SUCCESS);
}

TEST_F(DriverContexts, ReferenceOfRuntimeCanBeReleased) {
  CUcontext primary = nullptr;
  unsigned flags = 0;
  int active = -1;
  must(cuDevicePrimaryCtxRetain(&primary, 1));
  must(cudaSetDevice(1));

  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);

  EXPECT_EQ(cuDevicePrimaryCtxGetState(1, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_ERROR_INVALID_CONTEXT);
  must(cuCtxSetCurrent(nullptr));
}

TEST_F(DriverContexts, RuntimeReportsFlagsOfContext) {
  CUcontext made = nullptr;
  unsigned flags = 0;
  must(cuCtxCreate(&made, nullptr, CU_CTX_SCHED_YIELD, 0));

  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);

  EXPECT_EQ(flags, unsigned{cudaDeviceScheduleYield | cudaDeviceMapHost});
  must(cuCtxDestroy(made));
}

TEST_F(DriverContexts, RuntimeWorksInCurrentContext) {
  const primary_context second(1);
  int device = 0;
  const pushed here(second);

  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);

  EXPECT_EQ(device, 1);
}

TEST_F(DriverContexts, FlagsVersionAndIdAreReported) {
  CUcontext made = nullptr;
  unsigned flags = 0;
  unsigned version = 0;
  unsigned long long id = 0;
  must(cuCtxCreate(&made, nullptr, CU_CTX_SCHED_YIELD, 0));

  EXPECT_EQ(cuCtxGetFlags(&flags), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetApiVersion(made, &version), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetId(made, &id), CUDA_SUCCESS);

  EXPECT_EQ(flags, unsigned{CU_CTX_SCHED_YIELD});
  EXPECT_EQ(version, 3020U);
  EXPECT_NE(id, 0U);
  must(cuCtxDestroy(made));
}

}  // namespace
}  // namespace convoy::test
