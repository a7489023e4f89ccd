#include <dlfcn.h>

#include <thread>

#include "support/cuda_driver.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

int current_device() {
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
  EXPECT_EQ(current_device(), 0);

  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);

  EXPECT_EQ(current_device(), 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(CudaDevice, CurrentDeviceIsPerThread) {
  on_device(1, [] {
    int elsewhere = -1;
    std::thread([&] { elsewhere = current_device(); }).join();
    EXPECT_EQ(elsewhere, 0);
  });
}

TEST(CudaDevice, UnknownDeviceIsRefused) {
  cudaDeviceProp found = {};

  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(&found, 99), cudaErrorInvalidDevice);
  EXPECT_EQ(current_device(), 0);
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

struct capability_row {
  const char* setting;
  int major;
  int minor;
  int threads;
  int blocks;
  int shared_memory;
  int shared_memory_per_block;
  int reserved_per_block;
  int single_to_double;
};

class CudaCapability : public own_process, public testing::WithParamInterface<capability_row> {
 protected:
  static int attribute(cudaDeviceAttr name) {
    int value = -1;
    must(cudaDeviceGetAttribute(&value, name, 1));
    return value;
  }

  static bool attributes_are(const capability_row& row) {
    return attribute(cudaDevAttrComputeCapabilityMajor) == row.major &&
           attribute(cudaDevAttrComputeCapabilityMinor) == row.minor &&
           attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == row.threads &&
           attribute(cudaDevAttrMaxBlocksPerMultiprocessor) == row.blocks &&
           attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) == row.shared_memory &&
           attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == row.shared_memory_per_block &&
           attribute(cudaDevAttrReservedSharedMemoryPerBlock) == row.reserved_per_block &&
           attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio) == row.single_to_double &&
           attribute(cudaDevAttrMaxRegistersPerMultiprocessor) == 65536;
  }

  static bool properties_are(const capability_row& row) {
    cudaDeviceProp found = {};
    must(cudaGetDeviceProperties(&found, 1));
    return found.major == row.major && found.minor == row.minor &&
           found.maxThreadsPerMultiProcessor == row.threads &&
           found.maxBlocksPerMultiProcessor == row.blocks &&
           found.sharedMemPerMultiprocessor == static_cast<std::size_t>(row.shared_memory) &&
           found.sharedMemPerBlockOptin == static_cast<std::size_t>(row.shared_memory_per_block) &&
           found.reservedSharedMemPerBlock == static_cast<std::size_t>(row.reserved_per_block) &&
           found.regsPerMultiprocessor == 65536;
  }
};

TEST_P(CudaCapability, AttributesAndPropertiesFollowIt) {
  const capability_row row = GetParam();
  const auto with_setting = [&](auto fact) {
    ::setenv("CONVOY_CUDA_CAPABILITY", row.setting, 1);
    end_well_if(fact(row));
  };

  EXPECT_EXIT(with_setting(attributes_are), ended_well, "");
  EXPECT_EXIT(with_setting(properties_are), ended_well, "");
}

INSTANTIATE_TEST_SUITE_P(
    Accepted, CudaCapability,
    testing::Values(capability_row{"7.5", 7, 5, 1024, 16, 65536, 65536, 0, 32},
                    capability_row{"8.0", 8, 0, 2048, 32, 167936, 166912, 1024, 2},
                    capability_row{"8.6", 8, 6, 1536, 16, 102400, 101376, 1024, 32},
                    capability_row{"8.9", 8, 9, 1536, 24, 102400, 101376, 1024, 64},
                    capability_row{"9.0", 9, 0, 2048, 32, 233472, 232448, 1024, 2},
                    capability_row{"10.0", 10, 0, 2048, 32, 233472, 232448, 1024, 2},
                    capability_row{"12.0", 12, 0, 1536, 24, 102400, 101376, 1024, 64}));

TEST(CudaDevice, CapabilityIs80ByDefault) {
  cudaDeviceProp found = {};

  EXPECT_EQ(cudaGetDeviceProperties(&found, 0), cudaSuccess);

  EXPECT_EQ(found.major, 8);
  EXPECT_EQ(found.minor, 0);
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

TEST(CudaDevice, ShortBufferGetsTruncatedBusId) {
  char name[8] = "unknown";

  EXPECT_EQ(cudaDeviceGetPCIBusId(name, 5, 1), cudaErrorInvalidValue);
  EXPECT_STREQ(name, "0000");
  must(cuInit(0));
  EXPECT_EQ(cuDeviceGetPCIBusId(name, 7, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(name, "0000:0");
}

TEST(CudaDevice, TwoWaysToWaitAreRefused) {
  constexpr unsigned both = cudaDeviceScheduleSpin | cudaDeviceScheduleYield;

  EXPECT_EQ(cudaSetDeviceFlags(both), cudaErrorInvalidValue);
  EXPECT_EQ(cudaInitDevice(0, both, cudaInitDeviceFlagsAreValid), cudaErrorInvalidValue);
}

TEST(CudaDevice, LimitsAreStored) {
  for (const cudaLimit limit :
       {cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize}) {
    std::size_t before = 0;
    std::size_t after = 0;
    must(cudaDeviceGetLimit(&before, limit));

    EXPECT_EQ(cudaDeviceSetLimit(limit, before * 2), cudaSuccess);

    EXPECT_EQ(cudaDeviceGetLimit(&after, limit), cudaSuccess);
    EXPECT_EQ(after, before * 2);
    EXPECT_EQ(cudaDeviceSetLimit(limit, before), cudaSuccess);
  }
}

// By name: NVIDIA's headers do not declare all of them.
int call_with_number(const char* function, int number) {
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, function))(number);
}

TEST(CudaDevice, UnknownPreferencesAreRefused) {
  for (const char* const function : {"cudaDeviceSetCacheConfig", "cudaDeviceSetSharedMemConfig"}) {
    EXPECT_EQ(call_with_number(function, -1), cudaErrorInvalidValue) << function;
    EXPECT_EQ(call_with_number(function, 1), cudaSuccess) << function;
    EXPECT_EQ(call_with_number(function, 4), cudaErrorInvalidValue) << function;
  }
}

TEST(DriverDevicePreferences, UnknownOnesAreRefused) {
  const primary_context primary(0);
  const pushed here(primary);
  for (const char* const function : {"cuCtxSetCacheConfig", "cuCtxSetSharedMemConfig"}) {
    EXPECT_EQ(call_with_number(function, -1), CUDA_ERROR_INVALID_VALUE) << function;
    EXPECT_EQ(call_with_number(function, 1), CUDA_SUCCESS) << function;
  }
}

TEST(CudaDevice, FlagsAreStored) {
  unsigned flags = 0;

  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleYield), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);

  EXPECT_EQ(flags, unsigned{cudaDeviceScheduleYield | cudaDeviceMapHost});
  EXPECT_EQ(cudaSetDeviceFlags(0x1000), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(0), cudaSuccess);
}

template <class Api>
class CudaSynchronize : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaSynchronize, cuda_apis, api_names);

TYPED_TEST(CudaSynchronize, WaitsForEveryStream) {
  const api_stream<TypeParam> stream(cudaStreamNonBlocking);
  api_gate<TypeParam> closed(stream);
  std::thread opener([&] {
    closed.wait_for_arrival();
    closed.open();
  });

  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);

  EXPECT_EQ(TypeParam::query(stream), TypeParam::success);
  opener.join();
}

template <class Api>
class CudaPeers : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaPeers, cuda_apis, api_names);

TYPED_TEST(CudaPeers, DeviceIsNotItsOwnPeer) {
  int can = -1;

  EXPECT_EQ(TypeParam::can_access_peer(&can, 0, 1), TypeParam::success);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(TypeParam::can_access_peer(&can, 0, 0), TypeParam::success);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(TypeParam::can_access_peer(&can, 0, 99), TypeParam::invalid_device);
}

TYPED_TEST(CudaPeers, AccessIsEnabledAndDisabledOnce) {
  EXPECT_EQ(TypeParam::disable_peer(1), TypeParam::peer_not_enabled);
  EXPECT_EQ(TypeParam::enable_peer(1, 1), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::enable_peer(1, 0), TypeParam::success);
  EXPECT_EQ(TypeParam::enable_peer(1, 0), TypeParam::peer_enabled);
  TypeParam::on_device(1,
                       [] { EXPECT_EQ(TypeParam::disable_peer(0), TypeParam::peer_not_enabled); });
  EXPECT_EQ(TypeParam::disable_peer(1), TypeParam::success);
}

TEST(CudaPeerAccess, UnknownDeviceIsRefused) {
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(99, 0), cudaErrorInvalidDevice);
}

TEST(CudaPeerAccess, P2PAttributesAreReported) {
  int value = -1;

  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1), cudaSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0),
            cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace convoy::test
