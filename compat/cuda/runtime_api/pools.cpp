// Stream-ordered allocation and memory pools.
#include "calls/pools.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"
#include "state/handles.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t hStream) {
  return runtime_call(__func__, [&] { return allocate_in_stream(hStream, size, devPtr); });
}

CONVOY_EXPORT cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool,
                                                  cudaStream_t stream) {
  return runtime_call(__func__, [&] { return allocate_from_pool(memPool, stream, size, ptr); });
}

CONVOY_EXPORT cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream) {
  return runtime_call(__func__, [&] { return free_in_stream(hStream, devPtr); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return runtime_call(__func__,
                      [&] { return get_pool(pool_choice::default_pool, device, memPool); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return runtime_call(__func__,
                      [&] { return get_pool(pool_choice::current_pool, device, memPool); });
}

CONVOY_EXPORT cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return runtime_call(__func__, [&] { return set_pool(device, memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool,
                                                   cudaMemLocation* location,
                                                   cudaMemAllocationType type) {
  return runtime_call(__func__,
                      [&] { return get_pool(pool_choice::default_pool, location, type, memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location,
                                            cudaMemAllocationType type) {
  return runtime_call(__func__,
                      [&] { return get_pool(pool_choice::current_pool, location, type, memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                                            cudaMemPool_t memPool) {
  return runtime_call(__func__, [&] { return set_pool(location, type, memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool,
                                            const cudaMemPoolProps* poolProps) {
  return runtime_call(__func__, [&] { return make_pool(poolProps, memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return runtime_call(__func__, [&] { return destroy_pool(memPool); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return runtime_call(__func__, [&] { return trim_pool(memPool, minBytesToKeep); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                                  void* value) {
  return runtime_call(__func__, [&] { return set_attribute(memPool, attr, value); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr,
                                                  void* value) {
  return runtime_call(__func__, [&] { return get_attribute(memPool, attr, value); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolExportToShareableHandle(void* shareableHandle,
                                                             cudaMemPool_t memPool,
                                                             cudaMemAllocationHandleType handleType,
                                                             unsigned int flags) {
  return runtime_call(__func__,
                      [&] { return export_pool(memPool, shareableHandle, handleType, flags); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                               const cudaMemAccessDesc* descList, size_t count) {
  return runtime_call(__func__, [&] { return set_access(memPool, descList, count); });
}

CONVOY_EXPORT cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                               cudaMemLocation* location) {
  return runtime_call(__func__, [&] { return get_access(memPool, location, flags); });
}

}  // extern "C"
