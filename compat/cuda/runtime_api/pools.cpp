// Memory in stream order, and the pools it comes from.
#include "calls/pools.hpp"

#include <cuda_runtime_api.h>

#include <convoy/device.hpp>

#include "runtime_api/runtime_call.hpp"
#include "state/handles.hpp"

using namespace convoy::cuda;

namespace {

cudaMemPool_t handle_of(memory_pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

cudaMemLocation on_device(int device) { return {cudaMemLocationTypeDevice, device}; }

call_status write_pool(memory_pool* found, cudaMemPool_t* into, cudaError_t otherwise) {
  if (into == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return otherwise;
  *into = handle_of(found);
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t hStream) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto target = native(hStream);
    if (!target) return target;
    return allocate_in_stream(*target, size, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaMallocAsync_ptsz(void** devPtr, size_t size, cudaStream_t hStream) {
  return cudaMallocAsync(devPtr, size, per_thread(hStream));
}

CONVOY_EXPORT cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool,
                                                  cudaStream_t stream) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto target = native(stream);
    if (!target) return target;
    return allocate_from_pool(known_pool(memPool), *target, size, ptr);
  });
}

CONVOY_EXPORT cudaError_t cudaMallocFromPoolAsync_ptsz(void** ptr, size_t size,
                                                       cudaMemPool_t memPool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(ptr, size, memPool, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto target = native(hStream);
    if (!target) return target;
    return free_in_stream(*target, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaFreeAsync_ptsz(void* devPtr, cudaStream_t hStream) {
  return cudaFreeAsync(devPtr, per_thread(hStream));
}

CONVOY_EXPORT cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return runtime_call(__func__, [&] {
    return write_pool(default_pool(on_device(device), cudaMemAllocationTypePinned), memPool,
                      cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return runtime_call(__func__, [&] {
    return write_pool(current_pool(on_device(device), cudaMemAllocationTypePinned), memPool,
                      cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto stream = convoy::device(convoy::device_id{device}).default_stream();
    if (!stream) return stream;
    return set_current_pool(on_device(device), cudaMemAllocationTypePinned, known_pool(memPool));
  });
}

CONVOY_EXPORT cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool,
                                                   cudaMemLocation* location,
                                                   cudaMemAllocationType type) {
  return runtime_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return write_pool(default_pool(*location, type), memPool, cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                                            cudaMemAllocationType type) {
  return runtime_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return write_pool(current_pool(*location, type), memPool, cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                                            cudaMemPool_t memPool) {
  return runtime_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return set_current_pool(*location, type, known_pool(memPool));
  });
}

CONVOY_EXPORT cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool,
                                            const cudaMemPoolProps* poolProps) {
  return runtime_call(__func__, [&]() -> call_status {
    memory_pool* made = nullptr;
    if (memPool == nullptr || poolProps == nullptr) return cudaErrorInvalidValue;
    const call_status s = make_pool(*poolProps, &made);
    if (s.ok()) *memPool = handle_of(made);
    return s;
  });
}

CONVOY_EXPORT cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return runtime_call(__func__, [&] { return destroy_pool(known_pool(memPool)); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return runtime_call(__func__, [&] { return trim_pool(known_pool(memPool), minBytesToKeep); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                                  void* value) {
  return runtime_call(__func__, [&] { return set_attribute(known_pool(memPool), attr, value); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                                  void* value) {
  return runtime_call(__func__, [&] { return get_attribute(known_pool(memPool), attr, value); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                               const cudaMemAccessDesc* descList, size_t count) {
  return runtime_call(__func__, [&] { return set_access(known_pool(memPool), descList, count); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                               cudaMemLocation* location) {
  return runtime_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return get_access(known_pool(memPool), *location, flags);
  });
}

}  // extern "C"
