#include <cuda_runtime.h>

#include <cstring>
#include <thread>

#include "support/nvml.hpp"
#include "support/own_process.hpp"

namespace convoy {
namespace {

using namespace test;

using NvmlDevices = nvml_fixture;

TEST_F(NvmlDevices, IdentityAgreesWithCuda) {
  cudaDeviceProp expected = {};
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {};
  nvmlPciInfo_t pci = {};
  int major = 0;
  int minor = 0;

  EXPECT_EQ(cudaGetDeviceProperties(&expected, 1), cudaSuccess);
  EXPECT_EQ(nvmlDeviceGetName(device(1), name, sizeof name), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetPciInfo(device(1), &pci), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCudaComputeCapability(device(1), &major, &minor), NVML_SUCCESS);

  EXPECT_STREQ(name, expected.name);
  EXPECT_EQ(static_cast<int>(pci.bus), expected.pciBusID);
  EXPECT_EQ(major, expected.major);
  EXPECT_EQ(minor, expected.minor);
}

TEST_F(NvmlDevices, BinaryUuidIsThatOfCuda) {
  cudaDeviceProp known = {};
  EXPECT_EQ(cudaGetDeviceProperties(&known, 1), cudaSuccess);
  nvmlUUID_t uuid = {nvmlUUID_v1, NVML_UUID_TYPE_BINARY, {}};
  std::memcpy(uuid.value.bytes, known.uuid.bytes, sizeof known.uuid.bytes);
  nvmlDevice_t found = nullptr;

  EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid, &found), NVML_SUCCESS);

  EXPECT_EQ(found, device(1));
}

TEST_F(NvmlDevices, NamesFindHandles) {
  char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = {};
  nvmlPciInfo_t pci = {};
  nvmlDevice_t by_uuid = nullptr;
  nvmlDevice_t by_bus = nullptr;
  nvmlDevice_t by_short_bus = nullptr;
  EXPECT_EQ(nvmlDeviceGetUUID(device(1), uuid, sizeof uuid), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetPciInfo(device(1), &pci), NVML_SUCCESS);

  EXPECT_EQ(nvmlDeviceGetHandleByUUID(uuid, &by_uuid), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId(pci.busId, &by_bus), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId(pci.busIdLegacy, &by_short_bus), NVML_SUCCESS);

  EXPECT_EQ(by_uuid, device(1));
  EXPECT_EQ(by_bus, device(1));
  EXPECT_EQ(by_short_bus, device(1));
}

TEST_F(NvmlDevices, UnknownNamesAreNotFound) {
  nvmlDevice_t found = nullptr;

  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-none", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("0000:7F:00.0", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId("nowhere", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex(64, &found), NVML_ERROR_INVALID_ARGUMENT);

  EXPECT_EQ(found, nullptr);
}

TEST_F(NvmlDevices, GarbageHandlesAreRefused) {
  int local = 0;
  nvmlMemory_t memory = {};

  for (void* const each : {static_cast<void*>(nullptr), static_cast<void*>(&local),
                           reinterpret_cast<void*>(~0UL), reinterpret_cast<void*>(8UL)}) {
    EXPECT_EQ(nvmlDeviceGetMemoryInfo(static_cast<nvmlDevice_t>(each), &memory),
              NVML_ERROR_INVALID_ARGUMENT);
  }
}

TEST_F(NvmlDevices, NullsAndShortBuffersAreRefused) {
  char name[4] = {};

  EXPECT_EQ(nvmlDeviceGetName(device(0), nullptr, 64), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetName(device(0), name, sizeof name), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_EQ(nvmlDeviceGetMemoryInfo(device(0), nullptr), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetCount(nullptr), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(NvmlDevices, UnknownStructureVersionIsRefused) {
  nvmlMemory_v2_t memory = {};
  nvmlPciInfoExt_t pci = {};

  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device(0), &memory), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  EXPECT_EQ(nvmlDeviceGetPciInfoExt(device(0), &pci), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

TEST_F(NvmlDevices, MemoryFollowsAllocations) {
  constexpr std::size_t bytes = 1 << 20;
  nvmlMemory_t before = {};
  nvmlMemory_v2_t after = {};
  after.version = nvmlMemory_v2;
  void* held = nullptr;
  EXPECT_EQ(nvmlDeviceGetMemoryInfo(device(0), &before), NVML_SUCCESS);

  EXPECT_EQ(cudaMalloc(&held, bytes), cudaSuccess);
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device(0), &after), NVML_SUCCESS);
  EXPECT_EQ(cudaFree(held), cudaSuccess);

  EXPECT_EQ(before.total, after.total);
  EXPECT_EQ(before.free + before.used, before.total);
  EXPECT_EQ(after.used, before.used + bytes);
  EXPECT_EQ(after.free, before.free - bytes);
}

TEST_F(NvmlDevices, ProcessHoldingMemoryIsListed) {
  void* held = nullptr;
  unsigned count = 0;
  nvmlProcessInfo_t found[2] = {};
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(device(0), &count, nullptr), NVML_SUCCESS);
  EXPECT_EQ(cudaMalloc(&held, 4096), cudaSuccess);

  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(device(0), &count, nullptr),
            NVML_ERROR_INSUFFICIENT_SIZE);
  count = 2;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(device(0), &count, found), NVML_SUCCESS);
  EXPECT_EQ(cudaFree(held), cudaSuccess);

  EXPECT_EQ(count, 1U);
  EXPECT_EQ(found[0].pid, static_cast<unsigned>(::getpid()));
  EXPECT_EQ(found[0].usedGpuMemory, 4096U);
}

void wait_for_gate(void* gate) { static_cast<std::atomic<bool>*>(gate)->wait(false); }

TEST_F(NvmlDevices, PendingWorkIsFullUtilization) {
  std::atomic<bool> open = false;
  nvmlUtilization_t during = {};
  nvmlUtilization_t after = {};

  EXPECT_EQ(cudaLaunchHostFunc(nullptr, wait_for_gate, &open), cudaSuccess);
  EXPECT_EQ(nvmlDeviceGetUtilizationRates(device(0), &during), NVML_SUCCESS);
  open = true;
  open.notify_all();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(nvmlDeviceGetUtilizationRates(device(0), &after), NVML_SUCCESS);

  EXPECT_EQ(during.gpu, 100U);
  EXPECT_EQ(after.gpu, 0U);
}

TEST_F(NvmlDevices, ModesAreOff) {
  nvmlEnableState_t state = NVML_FEATURE_ENABLED;
  nvmlEnableState_t pending = NVML_FEATURE_ENABLED;
  unsigned mig = 1;
  unsigned pending_mig = 1;

  EXPECT_EQ(nvmlDeviceGetEccMode(device(0), &state, &pending), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetMigMode(device(0), &mig, &pending_mig), NVML_SUCCESS);

  EXPECT_EQ(state, NVML_FEATURE_DISABLED);
  EXPECT_EQ(mig, 0U);
}

TEST_F(NvmlDevices, FieldsHaveTheirOwnCodes) {
  nvmlFieldValue_t fields[2] = {};
  fields[0].fieldId = NVML_FI_DEV_NVLINK_LINK_COUNT;
  fields[1].fieldId = 1;

  EXPECT_EQ(nvmlDeviceGetFieldValues(device(0), 2, fields), NVML_SUCCESS);

  EXPECT_EQ(fields[0].nvmlReturn, NVML_SUCCESS);
  EXPECT_EQ(fields[0].value.uiVal, 0U);
  EXPECT_EQ(fields[1].nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
}

TEST_F(NvmlDevices, ThreadsMayInitialiseAndAsk) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n != 200; ++n) {
        unsigned count = 0;
        right += nvmlInit() == NVML_SUCCESS && nvmlDeviceGetCount(&count) == NVML_SUCCESS &&
                 nvmlShutdown() == NVML_SUCCESS;
      }
    });
  }

  for (std::thread& each : threads) each.join();

  EXPECT_EQ(right, 800);
}

TEST_F(NvmlDevices, PeersHaveNoNvLink) {
  nvmlGpuP2PStatus_t read = NVML_P2P_STATUS_UNKNOWN;
  nvmlGpuP2PStatus_t link = NVML_P2P_STATUS_UNKNOWN;

  EXPECT_EQ(nvmlDeviceGetP2PStatus(device(0), device(1), NVML_P2P_CAPS_INDEX_READ, &read),
            NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetP2PStatus(device(0), device(1), NVML_P2P_CAPS_INDEX_NVLINK, &link),
            NVML_SUCCESS);

  EXPECT_EQ(read, NVML_P2P_STATUS_OK);
  EXPECT_EQ(link, NVML_P2P_STATUS_NOT_SUPPORTED);
}

TEST_F(NvmlDevices, OthersAreBelowHostBridge) {
  nvmlGpuTopologyLevel_t level = NVML_TOPOLOGY_SYSTEM;
  unsigned count = 0;
  nvmlDevice_t near[64] = {};
  EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(device(0), device(1), &level), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(device(0), level, &count, nullptr), NVML_SUCCESS);

  EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(device(0), level, &count, near), NVML_SUCCESS);

  EXPECT_EQ(level, NVML_TOPOLOGY_HOSTBRIDGE);
  EXPECT_EQ(near[0], device(1));
}

TEST_F(NvmlDevices, AffinityHasOnlineCpus) {
  unsigned long cpus[16] = {};
  unsigned long nodes[16] = {};

  EXPECT_EQ(nvmlDeviceGetCpuAffinity(device(0), 16, cpus), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetMemoryAffinity(device(0), 16, nodes, NVML_AFFINITY_SCOPE_NODE),
            NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCpuAffinity(device(0), 0, cpus), NVML_ERROR_INVALID_ARGUMENT);

  EXPECT_NE(cpus[0], 0UL);
  EXPECT_NE(nodes[0], 0UL);
}

using NvmlCapability = own_process;

TEST_F(NvmlCapability, FollowsSetting) {
  const auto device_is = [](const char* setting, int major, int minor, unsigned architecture) {
    ::setenv("CONVOY_CUDA_CAPABILITY", setting, 1);
    nvmlDevice_t device = nullptr;
    cudaDeviceProp cuda = {};
    int known_major = 0;
    int known_minor = -1;
    nvmlDeviceArchitecture_t known = NVML_DEVICE_ARCH_UNKNOWN;
    end_well_if(
        nvmlInit() == NVML_SUCCESS && nvmlDeviceGetHandleByIndex(1, &device) == NVML_SUCCESS &&
        nvmlDeviceGetCudaComputeCapability(device, &known_major, &known_minor) == NVML_SUCCESS &&
        nvmlDeviceGetArchitecture(device, &known) == NVML_SUCCESS &&
        cudaGetDeviceProperties(&cuda, 1) == cudaSuccess && known_major == major &&
        known_minor == minor && cuda.major == major && cuda.minor == minor &&
        known == architecture);
  };

  EXPECT_EXIT(device_is("7.5", 7, 5, NVML_DEVICE_ARCH_TURING), ended_well, "");
  EXPECT_EXIT(device_is("8.6", 8, 6, NVML_DEVICE_ARCH_AMPERE), ended_well, "");
  EXPECT_EXIT(device_is("8.9", 8, 9, NVML_DEVICE_ARCH_ADA), ended_well, "");
  EXPECT_EXIT(device_is("9.0", 9, 0, NVML_DEVICE_ARCH_HOPPER), ended_well, "");
  EXPECT_EXIT(device_is("12.0", 12, 0, NVML_DEVICE_ARCH_BLACKWELL), ended_well, "");
}

using NvmlVisibleDevices = own_process;

TEST_F(NvmlVisibleDevices, EveryDeviceIsCounted) {
  EXPECT_EXIT(
      {
        ::setenv("CUDA_VISIBLE_DEVICES", "1", 1);
        ::setenv("CONVOY_DEVICES", "3", 1);
        unsigned count = 0;
        int visible = 0;
        end_well_if(nvmlInit() == NVML_SUCCESS && nvmlDeviceGetCount(&count) == NVML_SUCCESS &&
                    cudaGetDeviceCount(&visible) == cudaSuccess && count == 3 && visible == 1);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
