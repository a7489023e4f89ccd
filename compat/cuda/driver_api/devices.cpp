// Devices, and peer access between their contexts.
#include "calls/devices.hpp"

#include <algorithm>
#include <convoy/device.hpp>

#include "calls/pools.hpp"
#include "driver_api/driver_call.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

struct attribute_value {
  CUdevice_attribute attribute;
  int value;
};

// Attributes that the runtime does not have.
constexpr attribute_value driver_only_attributes[] = {
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, 0},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, 0},
    {CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, 0},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH, 0},
    {CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED, 0},
};

call_status driver_attribute_of(device_id device, CUdevice_attribute attribute, int* value) {
  if (value == nullptr) return cudaErrorInvalidValue;
  const auto* const found =
      std::find_if(std::begin(driver_only_attributes), std::end(driver_only_attributes),
                   [&](const attribute_value& each) { return each.attribute == attribute; });
  if (found == std::end(driver_only_attributes)) return attribute_of(device, attribute, value);
  *value = found->value;
  return cudaSuccess;
}

// Fills the structure of the deprecated cuDeviceGetProperties().
call_status describe_legacy(device_id device, CUdevprop* into) {
  cudaDeviceProp all = {};
  if (into == nullptr) return cudaErrorInvalidValue;
  if (const call_status s = describe(device, &all); !s.ok()) return s;
  *into = {.maxThreadsPerBlock = all.maxThreadsPerBlock,
           .maxThreadsDim = {all.maxThreadsDim[0], all.maxThreadsDim[1], all.maxThreadsDim[2]},
           .maxGridSize = {all.maxGridSize[0], all.maxGridSize[1], all.maxGridSize[2]},
           .sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock),
           .totalConstantMemory = static_cast<int>(all.totalConstMem),
           .SIMDWidth = all.warpSize,
           .memPitch = static_cast<int>(all.memPitch),
           .regsPerBlock = all.regsPerBlock,
           .clockRate = 0,
           .textureAlign = static_cast<int>(all.textureAlignment)};
  return attribute_of(device, cudaDevAttrClockRate, &into->clockRate);
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuDeviceGetCount(int* count) {
  return driver_call(__func__, [&]() -> call_status {
    if (count == nullptr) return cudaErrorInvalidValue;
    const auto found = visible_device_count();
    if (found) *count = *found;
    return found;
  });
}

CONVOY_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver_call(__func__, [&] {
    return with_device(ordinal, [&](device_id) -> call_status {
      if (device == nullptr) return cudaErrorInvalidValue;
      *device = ordinal;  // the handle of a device is its ordinal
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) { return write_text(name_of(found), name, len); });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) -> call_status {
      if (uuid == nullptr) return cudaErrorInvalidValue;
      *uuid = uuid_of(found);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) -> call_status {
      if (bytes == nullptr) return cudaErrorInvalidValue;
      const auto memory = convoy::memory_stats_of(found);
      if (memory) *bytes = memory->total;
      return memory;
    });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev,
                       [&](device_id found) { return driver_attribute_of(found, attrib, pi); });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) { return describe_legacy(found, prop); });
  });
}

CONVOY_EXPORT CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) -> call_status {
      if (major == nullptr || minor == nullptr) return cudaErrorInvalidValue;
      static_cast<void>(attribute_of(found, cudaDevAttrComputeCapabilityMajor, major));
      return attribute_of(found, cudaDevAttrComputeCapabilityMinor, minor);
    });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  return driver_call(__func__, [&]() -> call_status {
    if (dev == nullptr || pciBusId == nullptr) return cudaErrorInvalidValue;
    const auto found = device_with_pci_name(pciBusId);
    if (!found) return cudaErrorInvalidDevice;
    *dev = ordinal_of(*found);
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id found) { return write_pci_name(found, pciBusId, len); });
  });
}

CONVOY_EXPORT CUresult cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType type,
                                                      CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_device(dev, [&](device_id) -> call_status {
      if (pi == nullptr || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return cudaErrorInvalidValue;
      *pi = 0;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget,
                                                  CUflushGPUDirectRDMAWritesScope) {
  return in_context(__func__, [&](device_id) { return cudaSuccess; });
}

CONVOY_EXPORT CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return driver_call(__func__, [&] { return can_access(dev, peerDev, canAccessPeer); });
}

CONVOY_EXPORT CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib,
                                               CUdevice srcDevice, CUdevice dstDevice) {
  return driver_call(__func__, [&] {
    return with_device(srcDevice, [&](device_id from) {
      return with_device(dstDevice,
                         [&](device_id to) { return peer_attribute(attrib, from, to, value); });
    });
  });
}

CONVOY_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  return in_context(__func__, [&](device_id current) -> call_status {
    if (Flags != 0) return cudaErrorInvalidValue;
    return with_context(peerContext, [&](context& peer) -> call_status {
      return convoy::device(current).enable_access(peer.device);
    });
  });
}

CONVOY_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  return in_context(__func__, [&](device_id current) {
    return with_context(peerContext, [&](context& peer) -> call_status {
      return convoy::device(current).disable_access(peer.device);
    });
  });
}

}  // extern "C"
