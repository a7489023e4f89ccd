#include <cuda_runtime.h>
#include <nvml.h>

#include "support/own_process.hpp"

extern "C" nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power);

namespace convoy {
namespace {

using namespace test;

TEST(NvmlLibrary, CallsBeforeInitAreRefused) {
  unsigned value = 0;
  nvmlDevice_t device = nullptr;

  EXPECT_EQ(nvmlDeviceGetCount(&value), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlDeviceGetPowerUsage(device, &value), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
}

TEST(NvmlLibrary, LastShutdownEndsUse) {
  unsigned count = 0;
  EXPECT_EQ(nvmlInit(), NVML_SUCCESS);
  EXPECT_EQ(nvmlInitWithFlags(NVML_INIT_FLAG_NO_ATTACH), NVML_SUCCESS);

  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);

  EXPECT_EQ(nvmlDeviceGetCount(&count), NVML_ERROR_UNINITIALIZED);
}

TEST(NvmlLibrary, UnknownFlagIsRefused) {
  EXPECT_EQ(nvmlInitWithFlags(0x100), NVML_ERROR_INVALID_ARGUMENT);
}

TEST(NvmlLibrary, OtherFunctionsAreNotSupported) {
  unsigned power = 0;
  nvmlDevice_t device = nullptr;
  EXPECT_EQ(nvmlInit(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(0, &device), NVML_SUCCESS);

  EXPECT_EQ(nvmlDeviceGetPowerUsage(device, &power), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

TEST(NvmlLibrary, VersionIsThatOfDriver) {
  int known = 0;
  int expected = 0;

  EXPECT_EQ(nvmlSystemGetCudaDriverVersion_v2(&known), NVML_SUCCESS);
  EXPECT_EQ(cudaDriverGetVersion(&expected), cudaSuccess);

  EXPECT_EQ(known, expected);
}

TEST(NvmlLibrary, EveryCodeHasText) {
  for (int code = 0; code <= NVML_ERROR_RESET_TYPE_NOT_SUPPORTED; ++code) {
    const std::string text = nvmlErrorString(static_cast<nvmlReturn_t>(code));
    EXPECT_NE(text, nvmlErrorString(NVML_ERROR_UNKNOWN)) << code;
  }
}

using NvmlVersion = own_process;

TEST_F(NvmlVersion, FollowsSetting) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_CUDA_VERSION", "13.4", 1);
        int known = 0;
        int expected = 0;
        end_well_if(nvmlSystemGetCudaDriverVersion(&known) == NVML_SUCCESS && known == 13040 &&
                    nvmlSystemGetCudaDriverVersion_v2(&known) == NVML_SUCCESS &&
                    cudaDriverGetVersion(&expected) == cudaSuccess && known == expected);
      },
      ended_well, "");
}

TEST_F(NvmlVersion, DriverBelongsToCudaVersion) {
  const auto driver_is = [](const char* setting, const std::string& expected) {
    ::setenv("CONVOY_CUDA_VERSION", setting, 1);
    char driver[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = {};
    char library[NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE] = {};
    end_well_if(nvmlInit() == NVML_SUCCESS &&
                nvmlSystemGetDriverVersion(driver, sizeof driver) == NVML_SUCCESS &&
                nvmlSystemGetNVMLVersion(library, sizeof library) == NVML_SUCCESS &&
                driver == expected && library == "13." + expected);
  };

  EXPECT_EXIT(driver_is("13.0", "580.0.0"), ended_well, "");
  EXPECT_EXIT(driver_is("13.2", "595.0.0"), ended_well, "");
  EXPECT_EXIT(driver_is("13.4", "615.0.0"), ended_well, "");
}

TEST_F(NvmlVersion, UnknownSettingMeansNoDriver) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_CUDA_VERSION", "12.8", 1);
        int version = 0;
        end_well_if(nvmlSystemGetCudaDriverVersion_v2(&version) == NVML_ERROR_DRIVER_NOT_LOADED &&
                    version == 0);
      },
      ended_well, "");
}

using NvmlFork = own_process;

// The program asks NVML, forks, and uses CUDA in the child.
TEST_F(NvmlFork, ChildCanUseCuda) {
  EXPECT_EXIT(
      {
        unsigned count = 0;
        nvmlDevice_t device = nullptr;
        nvmlMemory_t memory = {};
        const bool asked = nvmlInit() == NVML_SUCCESS &&
                           nvmlDeviceGetCount(&count) == NVML_SUCCESS &&
                           nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS &&
                           nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS;
        end_well_if(asked && true_in_child([] {
                      void* made = nullptr;
                      return cudaMalloc(&made, 64) == cudaSuccess;
                    }));
      },
      ended_well, "");
}

TEST_F(NvmlFork, ChildOfCudaProcessIsAnswered) {
  EXPECT_EXIT(
      {
        void* made = nullptr;
        const bool used = cudaMalloc(&made, 64) == cudaSuccess && nvmlInit() == NVML_SUCCESS;
        end_well_if(used && true_in_child([] {
                      nvmlDevice_t device = nullptr;
                      nvmlMemory_t memory = {};
                      return nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS &&
                             nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS &&
                             memory.used == 0 && memory.total != 0;
                    }));
      },
      ended_well, "");
}

TEST_F(NvmlFork, WrongVariableMeansNoDriver) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICES", "many", 1);
        end_well_if(nvmlInit() == NVML_ERROR_DRIVER_NOT_LOADED);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
