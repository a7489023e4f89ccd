#include <dlfcn.h>

#include "support/cuda_driver.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

class DriverDevices : public testing::Test {
 protected:
  void SetUp() override { must(cuInit(0)); }
};

TEST_F(DriverDevices, CountMatchesRuntime) {
  int here = 0;
  int there = 0;

  EXPECT_EQ(cuDeviceGetCount(&here), CUDA_SUCCESS);
  EXPECT_EQ(cudaGetDeviceCount(&there), cudaSuccess);

  EXPECT_EQ(here, there);
}

TEST_F(DriverDevices, OrdinalFindsDevice) {
  CUdevice found = -1;

  EXPECT_EQ(cuDeviceGet(&found, 1), CUDA_SUCCESS);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(cuDeviceGet(&found, 99), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverDevices, NameIsTruncatedToFit) {
  char whole[64] = {};
  char start[4] = {};

  EXPECT_EQ(cuDeviceGetName(whole, sizeof whole, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetName(start, sizeof start, 0), CUDA_SUCCESS);

  EXPECT_EQ(std::string(whole).substr(0, 3), start);
  EXPECT_EQ(cuDeviceGetName(whole, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverDevices, UuidIsUnique) {
  CUuuid first = {};
  CUuuid second = {};

  EXPECT_EQ(cuDeviceGetUuid(&first, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetUuid(&second, 1), CUDA_SUCCESS);

  EXPECT_NE(std::memcmp(&first, &second, sizeof first), 0);
}

TEST_F(DriverDevices, PciBusIdFindsDevice) {
  char name[32] = {};
  CUdevice found = -1;

  EXPECT_EQ(cuDeviceGetPCIBusId(name, sizeof name, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&found, name), CUDA_SUCCESS);

  EXPECT_EQ(found, 1);
  EXPECT_EQ(cuDeviceGetPCIBusId(name, 4, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&found, "nowhere"), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverDevices, AttributesMatchRuntime) {
  int here = -1;
  int there = -1;
  int values = 0;

  EXPECT_EQ(cuDeviceGetAttribute(&here, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_SUCCESS);
  EXPECT_EQ(cudaDeviceGetAttribute(&there, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(cuDeviceGetAttribute(&values, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0),
            CUDA_SUCCESS);

  EXPECT_EQ(here, there);
  EXPECT_EQ(values, 1);
  EXPECT_EQ(cuDeviceGetAttribute(&here, static_cast<CUdevice_attribute>(250), 0),
            CUDA_ERROR_INVALID_VALUE);
}

// The numbers 44 and 146 are no attributes.
TEST_F(DriverDevices, EveryAttributeIsReported) {
  const auto gap = [](int number) { return number == 44 || number == 146; };
  for (int number = 1; number != CU_DEVICE_ATTRIBUTE_MAX; ++number) {
    int value = -1;
    if (gap(number)) continue;
    EXPECT_EQ(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(number), 0),
              CUDA_SUCCESS)
        << number;
  }
}

TEST_F(DriverDevices, TotalMemoryIsReported) {
  std::size_t total = 0;
  std::size_t room = 0;
  std::size_t free = 0;
  const primary_context primary(0);
  const pushed here(primary);
  must(cuMemGetInfo(&free, &room));

  EXPECT_EQ(cuDeviceTotalMem(&total, 0), CUDA_SUCCESS);

  EXPECT_EQ(total, room);
}

// A deprecated function, which not every version of the headers declares.
template <class Function>
Function* exported(const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, symbol));
}

TEST_F(DriverDevices, DeprecatedPropertiesAreReported) {
  auto* const properties = exported<CUresult(CUdevprop*, CUdevice)>("cuDeviceGetProperties");
  auto* const capability = exported<CUresult(int*, int*, CUdevice)>("cuDeviceComputeCapability");
  CUdevprop found = {};
  int major = 0;
  int minor = -1;

  EXPECT_EQ(properties(&found, 0), CUDA_SUCCESS);
  EXPECT_EQ(capability(&major, &minor, 0), CUDA_SUCCESS);

  EXPECT_EQ(found.SIMDWidth, 32);
  EXPECT_GT(major, 0);
}

using DriverCapability = own_process;

TEST_F(DriverCapability, FollowsSetting) {
  auto* const capability = exported<CUresult(int*, int*, CUdevice)>("cuDeviceComputeCapability");
  const auto attribute = [](CUdevice_attribute name) {
    int value = -1;
    must(cuDeviceGetAttribute(&value, name, 0));
    return value;
  };

  EXPECT_EXIT(
      {
        ::setenv("CONVOY_CUDA_CAPABILITY", "8.9", 1);
        int major = 0;
        int minor = 0;
        end_well_if(cuInit(0) == CUDA_SUCCESS && capability(&major, &minor, 0) == CUDA_SUCCESS &&
                    major == 8 && minor == 9 &&
                    attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 8 &&
                    attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) == 9 &&
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) == 102400 &&
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR) == 24);
      },
      ended_well, "");
}

class DriverPeers : public in_primary_context {};

TEST_F(DriverPeers, NullContextIsRefused) {
  EXPECT_EQ(cuCtxEnablePeerAccess(nullptr, 0), CUDA_ERROR_INVALID_CONTEXT);
}

class DriverLimits : public in_primary_context {};

TEST_F(DriverLimits, AreStoredWithoutEffect) {
  std::size_t before = 0;
  std::size_t found = 0;
  must(cuCtxGetLimit(&before, CU_LIMIT_PRINTF_FIFO_SIZE));

  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, before + 1), CUDA_SUCCESS);

  EXPECT_EQ(cuCtxGetLimit(&found, CU_LIMIT_PRINTF_FIFO_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(found, before + 1);
  EXPECT_EQ(cuCtxGetLimit(&found, CU_LIMIT_MAX), CUDA_ERROR_UNSUPPORTED_LIMIT);
}

}  // namespace
}  // namespace convoy::test
