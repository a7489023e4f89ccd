// Device and host memory.
#include "calls/memory.hpp"

#include <cuda_runtime_api.h>

#include <convoy/memory.hpp>

#include "runtime_api/runtime_call.hpp"
#include "state/context.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::device_id;
using convoy::memory_kind;

namespace {

call_status allocate_pitched_here(const cudaExtent& extent, void** out, std::size_t* pitch) {
  const auto device = enter_runtime_device();
  if (!device) return device;
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorInvalidValue;
  return allocate_pitched_memory(*device, extent.width, rows, out, pitch);
}

cudaPointerAttributes attributes_of(const void* pointer) {
  auto* const p = const_cast<void*>(pointer);
  const pointer_record found = find_pointer(pointer);
  const int device = ordinal_of(found.entry.device);
  switch (found.attributes.kind) {
    case memory_kind::pinned:
    case memory_kind::registered: return {cudaMemoryTypeHost, device, p, p, {}};
    case memory_kind::managed: return {cudaMemoryTypeManaged, device, p, p, {}};
    case memory_kind::device:
      return {cudaMemoryTypeDevice, ordinal_of(found.attributes.device), p, nullptr, {}};
    case memory_kind::pageable: break;
  }
  return {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p, {}};
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaMalloc(void** devPtr, size_t size) {
  return on_current_device(
      __func__, [&](device_id device) { return allocate_device_memory(device, size, devPtr); });
}

CONVOY_EXPORT cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width,
                                          size_t height) {
  return runtime_call(__func__, [&] {
    return allocate_pitched_here({width, height, 1}, devPtr, pitch);
  });
}

CONVOY_EXPORT cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pitchedDevPtr == nullptr) return cudaErrorInvalidValue;
    cudaPitchedPtr made{nullptr, 0, extent.width, extent.height};
    const call_status s = allocate_pitched_here(extent, &made.ptr, &made.pitch);
    if (s.ok()) *pitchedDevPtr = made;
    return s;
  });
}

CONVOY_EXPORT cudaError_t cudaFree(void* devPtr) {
  return on_current_device(__func__, [&](device_id) { return free_device_memory(devPtr); });
}

CONVOY_EXPORT cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return on_current_device(__func__, [&](device_id device) {
    return allocate_host_memory(device, size, cudaHostAllocDefault, ptr);
  });
}

CONVOY_EXPORT cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return on_current_device(
      __func__, [&](device_id device) { return allocate_host_memory(device, size, flags, pHost); });
}

CONVOY_EXPORT cudaError_t cudaFreeHost(void* ptr) {
  return runtime_call(__func__, [&] { return free_host_memory(ptr); });
}

CONVOY_EXPORT cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return on_current_device(
      __func__, [&](device_id device) { return register_host(device, ptr, size, flags); });
}

CONVOY_EXPORT cudaError_t cudaHostUnregister(void* ptr) {
  return runtime_call(__func__, [&] { return unregister_host(ptr); });
}

CONVOY_EXPORT cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost,
                                                   unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (flags != 0) return cudaErrorInvalidValue;
    return device_pointer(pHost, pDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return runtime_call(__func__, [&] { return host_flags(pHost, pFlags); });
}

CONVOY_EXPORT cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return on_current_device(__func__, [&](device_id device) -> call_status {
    const auto memory = convoy::memory_stats_of(device);
    if (!memory) return memory;
    if (free != nullptr) *free = memory->free;
    if (total != nullptr) *total = memory->total;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

CONVOY_EXPORT cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                   const void* ptr) {
  return runtime_call(__func__, [&]() -> call_status {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = attributes_of(ptr);
    return cudaSuccess;
  });
}

}  // extern "C"
