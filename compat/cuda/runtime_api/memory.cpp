// Memory of devices and of the host.
#include "calls/memory.hpp"

#include <cuda_runtime_api.h>

#include <convoy/memory.hpp>

#include "runtime_api/border.hpp"
#include "state/context.hpp"

using namespace convoy::cuda;
using convoy::memory_kind;

namespace {

outcome allocate_pinned_here(std::size_t bytes, unsigned flags, void** got) {
  const auto on = enter_runtime_device();
  if (!on) return on;
  return allocate_host(*on, bytes, flags, got);
}

outcome allocate_rows_here(const cudaExtent& extent, void** got, std::size_t* pitch) {
  const auto on = enter_runtime_device();
  if (!on) return on;
  std::size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
  return allocate_rows(*on, extent.width, rows, got, pitch);
}

cudaPointerAttributes attributes_of(const void* pointer) {
  auto* const p = const_cast<void*>(pointer);
  const finding found = find(pointer);
  const int device = convoy::number(found.known.device);
  switch (found.where.kind) {
    case memory_kind::pinned:
    case memory_kind::registered: return {cudaMemoryTypeHost, device, p, p, {}};
    case memory_kind::managed: return {cudaMemoryTypeManaged, device, p, p, {}};
    case memory_kind::device:
      return {cudaMemoryTypeDevice, convoy::number(found.where.device), p, nullptr, {}};
    case memory_kind::pageable: break;
  }
  return {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p, {}};
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaMalloc(void** devPtr, size_t size) {
  return border(__func__, [&]() -> outcome {
    const auto on = enter_runtime_device();
    if (!on) return on;
    return allocate_on(*on, size, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width,
                                          size_t height) {
  return border(__func__, [&] { return allocate_rows_here({width, height, 1}, devPtr, pitch); });
}

CONVOY_EXPORT cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  return border(__func__, [&]() -> outcome {
    if (pitchedDevPtr == nullptr) return cudaErrorInvalidValue;
    cudaPitchedPtr made{nullptr, 0, extent.width, extent.height};
    const outcome o = allocate_rows_here(extent, &made.ptr, &made.pitch);
    if (o.ok()) *pitchedDevPtr = made;
    return o;
  });
}

CONVOY_EXPORT cudaError_t cudaFree(void* devPtr) {
  return border(__func__, [&]() -> outcome {
    if (const auto on = enter_runtime_device(); !on) return on;
    return free_on_device(devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return border(__func__, [&] { return allocate_pinned_here(size, cudaHostAllocDefault, ptr); });
}

CONVOY_EXPORT cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  return border(__func__, [&] { return allocate_pinned_here(size, flags, pHost); });
}

CONVOY_EXPORT cudaError_t cudaFreeHost(void* ptr) {
  return border(__func__, [&] { return free_on_host(ptr); });
}

CONVOY_EXPORT cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return border(__func__, [&]() -> outcome {
    const auto on = enter_runtime_device();
    if (!on) return on;
    return register_host(*on, ptr, size, flags);
  });
}

CONVOY_EXPORT cudaError_t cudaHostUnregister(void* ptr) {
  return border(__func__, [&] { return unregister_host(ptr); });
}

CONVOY_EXPORT cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost,
                                                   unsigned int flags) {
  return border(__func__, [&]() -> outcome {
    if (flags != 0) return cudaErrorInvalidValue;
    return device_view(pHost, pDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return border(__func__, [&] { return host_flags(pHost, pFlags); });
}

CONVOY_EXPORT cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return border(__func__, [&]() -> outcome {
    const auto on = enter_runtime_device();
    if (!on) return on;
    const auto room = convoy::memory_stats_of(*on);
    if (!room) return room;
    if (free != nullptr) *free = room->free;
    if (total != nullptr) *total = room->total;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                   const void* ptr) {
  return border(__func__, [&]() -> outcome {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (const auto on = enter_runtime_device(); !on) return on;
    *attributes = attributes_of(ptr);
    return cudaSuccess;
  });
}

}  // extern "C"
