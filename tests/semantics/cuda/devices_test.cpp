#include <thread>

#include "support/cuda.hpp"

namespace convoy::test {
namespace {

int current() {
  int device = -1;
  must(cudaGetDevice(&device));
  return device;
}

TEST(CudaDevice, CountFollowsConfiguration) {
  int count = 0;

  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);

  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
}

TEST(CudaDevice, CurrentDeviceStartsAtZero) {
  EXPECT_EQ(current(), 0);

  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);

  EXPECT_EQ(current(), 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(CudaDevice, CurrentDeviceIsPerThread) {
  on_device(1, [] {
    int elsewhere = -1;
    std::thread([&] { elsewhere = current(); }).join();
    EXPECT_EQ(elsewhere, 0);
  });
}

TEST(CudaDevice, UnknownDeviceIsRefused) {
  cudaDeviceProp found = {};

  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(&found, 99), cudaErrorInvalidDevice);
  EXPECT_EQ(current(), 0);
}

TEST(CudaDevice, PropertiesAndAttributesAgree) {
  cudaDeviceProp found = {};
  EXPECT_EQ(cudaGetDeviceProperties(&found, 1), cudaSuccess);
  const auto attribute = [](cudaDeviceAttr name) {
    int value = -1;
    must(cudaDeviceGetAttribute(&value, name, 1));
    return value;
  };

  EXPECT_GT(std::strlen(found.name), 0U);
  EXPECT_GT(found.totalGlobalMem, 0U);
  EXPECT_EQ(found.major, attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT_EQ(found.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
  EXPECT_EQ(found.unifiedAddressing, attribute(cudaDevAttrUnifiedAddressing));
  EXPECT_EQ(found.managedMemory, attribute(cudaDevAttrManagedMemory));
  EXPECT_EQ(found.memoryPoolsSupported, attribute(cudaDevAttrMemoryPoolsSupported));
  EXPECT_EQ(found.pciBusID, attribute(cudaDevAttrPciBusId));
  EXPECT_EQ(found.maxGridSize[0], attribute(cudaDevAttrMaxGridDimX));
}

TEST(CudaDevice, UnknownAttributeIsRefused) {
  int value = 0;

  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(127), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
}

TEST(CudaDevice, PciBusIdFindsDevice) {
  char name[32] = {};
  int found = -1;

  EXPECT_EQ(cudaDeviceGetPCIBusId(name, sizeof name, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&found, name), cudaSuccess);

  EXPECT_EQ(found, 1);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&found, "nonsense"), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetPCIBusId(name, 4, 1), cudaErrorInvalidValue);
}

TEST(CudaDevice, SynchronizeWaitsForEveryStream) {
  const cuda_stream stream(cudaStreamNonBlocking);
  const cuda_memory source(memory_kind::pinned, numbered(64));
  const cuda_memory target(memory_kind::device, bytes(64));
  must(cudaMemcpyAsync(target.data(), source.data(), 64, cudaMemcpyDefault, stream));

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
}

TEST(CudaDevice, FlagsAreStored) {
  unsigned flags = 0;

  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleYield), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);

  EXPECT_EQ(flags, unsigned{cudaDeviceScheduleYield | cudaDeviceMapHost});
  EXPECT_EQ(cudaSetDeviceFlags(0x1000), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(0), cudaSuccess);
}

TEST(CudaPeers, DeviceIsNotItsOwnPeer) {
  int can = -1;

  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 99), cudaErrorInvalidDevice);
}

TEST(CudaPeers, AccessIsEnabledAndDisabledOnce) {
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  on_device(1, [] { EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled); });
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST(CudaPeers, FlagsAndDevicesAreChecked) {
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(99, 0), cudaErrorInvalidDevice);
}

TEST(CudaPeers, P2PAttributesAreReported) {
  int value = -1;

  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1), cudaSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0),
            cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace convoy::test
