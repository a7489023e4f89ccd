// Both front ends in one program. Their headers can be included together, in any order.
#include <acl/acl.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <bit>
#include <future>

#include "support/short_wait.hpp"

namespace {

// A stream and an event of each front end, on device 0.
class FrontEndHandles : public testing::Test {
 protected:
  FrontEndHandles() {
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateStream(&acl_stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateEvent(&acl_event), ACL_SUCCESS);
    EXPECT_EQ(cudaStreamCreate(&cuda_stream), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&cuda_event), cudaSuccess);
  }
  ~FrontEndHandles() override {
    cudaEventDestroy(cuda_event);
    cudaStreamDestroy(cuda_stream);
    aclrtDestroyEvent(acl_event);
    aclrtDestroyStream(acl_stream);
    aclrtResetDevice(0);
    aclFinalize();
  }

  aclrtStream acl_stream = nullptr;
  aclrtEvent acl_event = nullptr;
  cudaStream_t cuda_stream = nullptr;
  cudaEvent_t cuda_event = nullptr;
};

TEST_F(FrontEndHandles, CudaRefusesHandlesOfAscendcl) {
  const auto stream = std::bit_cast<cudaStream_t>(acl_stream);
  const auto event = std::bit_cast<cudaEvent_t>(acl_event);

  EXPECT_EQ(cudaStreamWaitEvent(cuda_stream, event, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event, cuda_stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(cuda_event, stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cuStreamWaitEvent(cuda_stream, event, 0), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);

  EXPECT_EQ(cudaStreamSynchronize(cuda_stream), cudaSuccess);
  EXPECT_EQ(aclrtSynchronizeStream(acl_stream), ACL_SUCCESS);
}

TEST_F(FrontEndHandles, AscendclRefusesHandlesOfCuda) {
  auto* const stream = std::bit_cast<aclrtStream>(cuda_stream);
  auto* const event = std::bit_cast<aclrtEvent>(cuda_event);

  EXPECT_NE(aclrtStreamWaitEvent(acl_stream, event), ACL_SUCCESS);
  EXPECT_NE(aclrtRecordEvent(event, acl_stream), ACL_SUCCESS);
  EXPECT_NE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_NE(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(aclrtDestroyStream(stream), ACL_SUCCESS);

  EXPECT_EQ(cudaEventRecord(cuda_event, cuda_stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cuda_stream), cudaSuccess);
}

// Both front ends work on the same memory.
TEST_F(FrontEndHandles, DeviceWaitCoversBothFrontEnds) {
  std::promise<void> opened;
  const auto hold = [](void* gate) { static_cast<std::promise<void>*>(gate)->get_future().wait(); };
  EXPECT_EQ(aclrtLaunchHostFunc(acl_stream, hold, &opened), ACL_SUCCESS);
  auto waited = std::async(std::launch::async, cudaDeviceSynchronize);

  EXPECT_EQ(waited.wait_for(convoy::test::short_wait), std::future_status::timeout);
  opened.set_value();

  EXPECT_EQ(waited.get(), cudaSuccess);
  EXPECT_EQ(aclrtSynchronizeStream(acl_stream), ACL_SUCCESS);
}

// Programs mark the lowest bit of a pointer for purposes of their own.
TEST_F(FrontEndHandles, CudaHandlesAreEven) {
  for (int i = 0; i != 4; ++i) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_EQ(std::bit_cast<unsigned long long>(stream) % 2, 0U);
  }
}

}  // namespace
