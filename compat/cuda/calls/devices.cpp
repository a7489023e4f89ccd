#include "calls/devices.hpp"

#include <algorithm>
#include <convoy/device.hpp>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>
#include <thread>

#include "calls/capability_attributes.hpp"
#include "shared/device_identity.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

constexpr int max_int = 0x7FFFFFFF;

struct attribute_value {
  cudaDeviceAttr attribute;
  int value;
};

// Attributes that depend neither on the machine nor on the configuration.
constexpr attribute_value fixed_attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, max_int},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, max_int},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrClockRate, 1000000},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrMemoryClockRate, 1000000},
    {cudaDevAttrGlobalMemoryBusWidth, 64},
    {cudaDevAttrL2CacheSize, 32 << 20},
    {cudaDevAttrAsyncEngineCount, 2},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrPciDomainId, 0},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrHostNativeAtomicSupported, 1},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 0},
    {cudaDevAttrCanFlushRemoteWrites, 0},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 1},
    {cudaDevAttrMaxPersistingL2CacheSize, 0},
    {cudaDevAttrMaxAccessPolicyWindowSize, 0},
    {cudaDevAttrSparseCudaArraySupported, 0},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrTimelineSemaphoreInteropSupported, 0},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 0},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, 0},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
    {cudaDevAttrClusterLaunch, 0},
    {cudaDevAttrDeferredMappingCudaArraySupported, 0},
    {cudaDevAttrIpcEventSupport, 1},
    {cudaDevAttrMemSyncDomainCount, 1},
    {cudaDevAttrNumaConfig, 0},
    {cudaDevAttrNumaId, -1},
    {cudaDevAttrMpsEnabled, 0},
    {cudaDevAttrHostNumaId, 0},
    {cudaDevAttrD3D12CigSupported, 0},
    {cudaDevAttrVulkanCigSupported, 0},
    {cudaDevAttrGpuPciDeviceId, 0},
    {cudaDevAttrGpuPciSubsystemId, 0},
    {cudaDevAttrHostNumaMemoryPoolsSupported, 1},
    {cudaDevAttrHostNumaMultinodeIpcSupported, 0},
    {cudaDevAttrHostMemoryPoolsSupported, 1},
    {cudaDevAttrOnlyPartialHostNativeAtomicSupported, 0},
};

// Maximum extents of textures and surfaces, all 0: neither is supported.
bool is_image_extent(int attribute) {
  const auto within = [&](int first, int last) { return attribute >= first && attribute <= last; };
  return within(cudaDevAttrMaxTexture1DWidth, cudaDevAttrMaxTexture2DLayeredLayers) ||
         within(cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture3DDepthAlt) ||
         within(cudaDevAttrMaxTextureCubemapWidth, cudaDevAttrMaxTexture2DMipmappedHeight) ||
         attribute == cudaDevAttrMaxTexture1DMipmappedWidth;
}

int processors() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// For attributes that every device has.
int attribute_or_zero(device_id device, cudaDeviceAttr attribute) {
  int value = 0;
  static_cast<void>(attribute_of(device, attribute, &value));
  return value;
}

void describe_limits(device_id device, cudaDeviceProp& into) {
  const auto get = [&](cudaDeviceAttr attribute) { return attribute_or_zero(device, attribute); };
  const auto size = [&](cudaDeviceAttr attribute) {
    return static_cast<std::size_t>(get(attribute));
  };
  into.sharedMemPerBlock = size(cudaDevAttrMaxSharedMemoryPerBlock);
  into.regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
  into.warpSize = get(cudaDevAttrWarpSize);
  into.memPitch = size(cudaDevAttrMaxPitch);
  into.maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
  for (int i = 0; i != 3; ++i) {
    into.maxThreadsDim[i] = get(static_cast<cudaDeviceAttr>(cudaDevAttrMaxBlockDimX + i));
    into.maxGridSize[i] = get(static_cast<cudaDeviceAttr>(cudaDevAttrMaxGridDimX + i));
  }
  into.totalConstMem = size(cudaDevAttrTotalConstantMemory);
  into.textureAlignment = size(cudaDevAttrTextureAlignment);
  into.texturePitchAlignment = size(cudaDevAttrTexturePitchAlignment);
  into.surfaceAlignment = size(cudaDevAttrSurfaceAlignment);
  into.maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  into.sharedMemPerMultiprocessor = size(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  into.regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  into.sharedMemPerBlockOptin = size(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  into.maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  into.reservedSharedMemPerBlock = size(cudaDevAttrReservedSharedMemoryPerBlock);
}

struct field {
  int cudaDeviceProp::*member;
  cudaDeviceAttr attribute;
};

constexpr field int_fields[] = {
    {&cudaDeviceProp::major, cudaDevAttrComputeCapabilityMajor},
    {&cudaDeviceProp::minor, cudaDevAttrComputeCapabilityMinor},
    {&cudaDeviceProp::multiProcessorCount, cudaDevAttrMultiProcessorCount},
    {&cudaDeviceProp::canMapHostMemory, cudaDevAttrCanMapHostMemory},
    {&cudaDeviceProp::concurrentKernels, cudaDevAttrConcurrentKernels},
    {&cudaDeviceProp::pciBusID, cudaDevAttrPciBusId},
    {&cudaDeviceProp::asyncEngineCount, cudaDevAttrAsyncEngineCount},
    {&cudaDeviceProp::unifiedAddressing, cudaDevAttrUnifiedAddressing},
    {&cudaDeviceProp::memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
    {&cudaDeviceProp::l2CacheSize, cudaDevAttrL2CacheSize},
    {&cudaDeviceProp::streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported},
    {&cudaDeviceProp::globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported},
    {&cudaDeviceProp::localL1CacheSupported, cudaDevAttrLocalL1CacheSupported},
    {&cudaDeviceProp::managedMemory, cudaDevAttrManagedMemory},
    {&cudaDeviceProp::multiGpuBoardGroupID, cudaDevAttrMultiGpuBoardGroupID},
    {&cudaDeviceProp::hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported},
    {&cudaDeviceProp::pageableMemoryAccess, cudaDevAttrPageableMemoryAccess},
    {&cudaDeviceProp::concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
    {&cudaDeviceProp::computePreemptionSupported, cudaDevAttrComputePreemptionSupported},
    {&cudaDeviceProp::canUseHostPointerForRegisteredMem,
     cudaDevAttrCanUseHostPointerForRegisteredMem},
    {&cudaDeviceProp::cooperativeLaunch, cudaDevAttrCooperativeLaunch},
    {&cudaDeviceProp::directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost},
    {&cudaDeviceProp::hostRegisterSupported, cudaDevAttrHostRegisterSupported},
    {&cudaDeviceProp::hostRegisterReadOnlySupported, cudaDevAttrHostRegisterReadOnlySupported},
    {&cudaDeviceProp::memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
    {&cudaDeviceProp::ipcEventSupported, cudaDevAttrIpcEventSupport},
    {&cudaDeviceProp::deviceNumaId, cudaDevAttrNumaId},
    {&cudaDeviceProp::hostNumaId, cudaDevAttrHostNumaId},
};

// The limits that cannot be changed, from cudaLimit 3 on.
constexpr std::size_t fixed_limits[] = {2, 2048, 64, 0};
constexpr std::size_t settable_limits = context::default_limits.size();

bool is_limit(int limit) {
  return limit >= 0 && limit < static_cast<int>(settable_limits + std::size(fixed_limits));
}

}  // namespace

result<int> driver_version() { return compat::cuda_version(); }

call_status write_version(int* into) noexcept try {
  if (into == nullptr) return cudaErrorInvalidValue;
  const auto version = driver_version();
  if (version) *into = *version;
  return version;
} catch (const std::bad_alloc&) {
  return cudaErrorMemoryAllocation;
}

call_status find_device(int ordinal, device_id* found) {
  if (const auto count = device_count(); !count) return count;
  const auto device = device_at(ordinal);
  if (!device) return cudaErrorInvalidDevice;
  *found = *device;
  return cudaSuccess;
}

call_status describe(device_id device, cudaDeviceProp* into) {
  if (into == nullptr) return cudaErrorInvalidValue;
  const auto memory = convoy::device(device).memory();
  if (!memory) return memory;
  *into = {};
  std::snprintf(into->name, sizeof into->name, "%s", name_of(device).c_str());
  into->uuid = uuid_of(device);
  into->totalGlobalMem = memory->total;
  describe_limits(device, *into);
  for (const field& each : int_fields)
    into->*each.member = attribute_or_zero(device, each.attribute);
  return cudaSuccess;
}

call_status attribute_of(device_id device, int attribute, int* value) {
  if (value == nullptr) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = processors(); return cudaSuccess;
    case cudaDevAttrPciBusId: *value = compat::pci_bus(device); return cudaSuccess;
    case cudaDevAttrMultiGpuBoardGroupID: *value = number(device); return cudaSuccess;
    default: break;
  }
  const auto capability = compat::capability();
  if (!capability) return capability;
  if (const auto known = capability_attribute(*capability, attribute)) {
    *value = *known;
    return cudaSuccess;
  }
  const auto* const found =
      std::find_if(std::begin(fixed_attributes), std::end(fixed_attributes),
                   [&](const attribute_value& each) { return each.attribute == attribute; });
  if (found == std::end(fixed_attributes) && !is_image_extent(attribute)) {
    return cudaErrorInvalidValue;
  }
  *value = found == std::end(fixed_attributes) ? 0 : found->value;
  return cudaSuccess;
}

std::string name_of(device_id device) { return compat::device_name(device); }

call_status write_text(const std::string& text, char* buffer, int size) {
  if (buffer == nullptr || size <= 0) return cudaErrorInvalidValue;
  const auto length = std::min(text.size(), static_cast<std::size_t>(size) - 1);
  std::memcpy(buffer, text.data(), length);
  buffer[length] = '\0';
  return cudaSuccess;
}

call_status write_pci_name(device_id device, char* buffer, int size) {
  const std::string name = compat::pci_name(device);
  if (const call_status s = write_text(name, buffer, size); !s.ok()) return s;
  return static_cast<std::size_t>(size) > name.size() ? cudaSuccess : cudaErrorInvalidValue;
}

std::optional<device_id> device_with_pci_name(const char* name) {
  const auto named = compat::device_of_pci_name(name);
  return named && ordinal_of(*named) >= 0 ? named : std::nullopt;
}

call_status can_access(int ordinal, int peer_ordinal, int* answer) {
  if (answer == nullptr) return cudaErrorInvalidValue;
  return with_device(ordinal, [&](device_id from) {
    return with_device(peer_ordinal, [&](device_id to) -> call_status {
      const auto can = device(from).can_access(to);
      if (can) *answer = *can ? 1 : 0;
      return can;
    });
  });
}

call_status peer_attribute(int attribute, device_id from, device_id to, int* value) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (from == to) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported: *value = 1; return cudaSuccess;
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrCudaArrayAccessSupported:
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported: *value = 0; return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

call_status limit_of(const context& owner, int limit, std::size_t* value) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (!is_limit(limit)) return cudaErrorUnsupportedLimit;
  const auto index = static_cast<std::size_t>(limit);
  *value =
      index < settable_limits ? owner.limits[index].load() : fixed_limits[index - settable_limits];
  return cudaSuccess;
}

call_status set_limit(context& owner, int limit, std::size_t value) {
  if (!is_limit(limit)) return cudaErrorUnsupportedLimit;
  const auto index = static_cast<std::size_t>(limit);
  if (index < settable_limits) owner.limits[index].store(value);
  return cudaSuccess;
}

call_status check_cache_config(int config) {
  const bool known = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
  return known ? cudaSuccess : cudaErrorInvalidValue;
}

call_status check_shared_memory_config(int config) {
  const bool known =
      config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return known ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace convoy::cuda
