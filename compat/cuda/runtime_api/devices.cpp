// Devices, and peer access between them.
#include "calls/devices.hpp"

#include <cuda_runtime_api.h>

#include <bit>
#include <convoy/device.hpp>

#include "calls/context_teardown.hpp"
#include "calls/streams.hpp"
#include "runtime_api/runtime_call.hpp"
#include "state/context.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

constexpr unsigned device_flags_known =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

// At most one way to wait can be chosen.
bool are_valid_flags(unsigned flags) {
  return (flags & ~device_flags_known) == 0 && std::popcount(flags & cudaDeviceScheduleMask) <= 1;
}

// Makes the primary context of the device current.
call_status choose(int number) {
  device_id wanted{};
  if (const call_status s = find_device(number, &wanted); !s.ok()) return s;
  set_runtime_ordinal(number);
  if (const call_status s = set_current_context(primary_of(wanted)); !s.ok()) return s;
  return enter_runtime_device();
}

call_status set_flags(device_id device, unsigned flags) {
  if (!are_valid_flags(flags)) return cudaErrorInvalidValue;
  primary_of(device)->flags.store(flags);
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetDeviceCount(int* count) {
  return call_without_driver(__func__, [&]() -> call_status {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 0;  // also the answer when no device is visible
    if (const call_status s = initialize_driver(); !s.ok()) return s;
    const auto found = visible_device_count();
    if (found) *count = *found;
    return found;
  });
}

CONVOY_EXPORT cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return runtime_call(__func__, [&] {
    return with_device(device, [&](device_id found) { return describe(found, prop); });
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return runtime_call(__func__, [&] {
    return with_device(device, [&](device_id found) { return attribute_of(found, attr, value); });
  });
}

CONVOY_EXPORT cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  return runtime_call(__func__, [&]() -> call_status {
    if (device == nullptr || prop == nullptr) return cudaErrorInvalidValue;
    *device = 0;  // all devices are alike
    return convoy::device_count();
  });
}

CONVOY_EXPORT cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return runtime_call(__func__, [&] {
    return with_device(device, [&](device_id found) -> call_status {
      if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return cudaErrorInvalidValue;
      if (flags != 0) return set_flags(found, deviceFlags);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT cudaError_t cudaSetDevice(int device) {
  return runtime_call(__func__, [&] { return choose(device); });
}

CONVOY_EXPORT cudaError_t cudaGetDevice(int* device) {
  return runtime_call(__func__, [&]() -> call_status {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = runtime_ordinal();
    return convoy::device_count();
  });
}

CONVOY_EXPORT cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto count = visible_device_count();
    if (!count) return count;
    if (len < 0 || len > *count || (device_arr == nullptr && len != 0)) {
      return cudaErrorInvalidValue;
    }
    for (int i = 0; i != len; ++i) {
      device_id found{};
      if (const call_status s = find_device(device_arr[i], &found); !s.ok()) return s;
    }
    if (len != 0) set_runtime_ordinal(device_arr[0]);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return runtime_call(__func__, [&] {
    return with_device(runtime_ordinal(), [&](device_id found) { return set_flags(found, flags); });
  });
}

CONVOY_EXPORT cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return runtime_call(__func__, [&] {
    return with_device(runtime_ordinal(), [&](device_id found) -> call_status {
      if (flags == nullptr) return cudaErrorInvalidValue;
      *flags = owner_on(found)->flags.load() | cudaDeviceMapHost;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceReset() {
  return runtime_call(__func__, [&] { return reset_device(runtime_device()); });
}

CONVOY_EXPORT cudaError_t cudaDeviceSynchronize() {
  return on_current_device(__func__, [&](device_id device) { return synchronize(device); });
}

CONVOY_EXPORT cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return on_current_device(__func__,
                           [&](device_id) { return set_limit(*current_context(), limit, value); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetLimit(size_t* pValue, cudaLimit limit) {
  return on_current_device(__func__,
                           [&](device_id) { return limit_of(*current_context(), limit, pValue); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pCacheConfig == nullptr) return cudaErrorInvalidValue;
    *pCacheConfig = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  return runtime_call(__func__, [&] { return check_cache_config(cacheConfig); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pConfig == nullptr) return cudaErrorInvalidValue;
    *pConfig = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return runtime_call(__func__, [&] { return check_shared_memory_config(config); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return runtime_call(__func__, [&]() -> call_status {
    if (device == nullptr || pciBusId == nullptr) return cudaErrorInvalidValue;
    const auto found = device_with_pci_name(pciBusId);
    if (!found) return cudaErrorInvalidValue;
    *device = ordinal_of(*found);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return runtime_call(__func__, [&] {
    return with_device(device,
                       [&](device_id found) { return write_pci_name(found, pciBusId, len); });
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                                             cudaFlushGPUDirectRDMAWritesScope) {
  return cudaSuccess;  // the "device" is the CPU: its writes are visible already
}

CONVOY_EXPORT cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
CONVOY_EXPORT cudaError_t cudaProfilerStart() { return cudaSuccess; }
CONVOY_EXPORT cudaError_t cudaProfilerStop() { return cudaSuccess; }

CONVOY_EXPORT cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return runtime_call(__func__, [&] { return can_access(device, peerDevice, canAccessPeer); });
}

CONVOY_EXPORT cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (flags != 0) return cudaErrorInvalidValue;
    const auto device = enter_runtime_device();
    if (!device) return device;
    return with_device(peerDevice, [&](device_id peer) -> call_status {
      return convoy::device(*device).enable_access(peer);
    });
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return on_current_device(__func__, [&](device_id device) {
    return with_device(peerDevice, [&](device_id peer) -> call_status {
      return convoy::device(device).disable_access(peer);
    });
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr,
                                                    int srcDevice, int dstDevice) {
  return runtime_call(__func__, [&] {
    return with_device(srcDevice, [&](device_id from) {
      return with_device(dstDevice,
                         [&](device_id to) { return peer_attribute(attr, from, to, value); });
    });
  });
}

}  // extern "C"
