// Managed memory.
#include "calls/managed.hpp"

#include <cuda_runtime_api.h>

#include "calls/memory.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  return on_current_device(__func__, [&](device_id device) {
    return allocate_managed_memory(device, size, flags, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
  return runtime_call(__func__, [&] { return advise(devPtr, count, advice, location); });
}

CONVOY_EXPORT cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count,
                                               cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream) {
  return runtime_call(__func__, [&] { return prefetch(stream, devPtr, count, location, flags); });
}

CONVOY_EXPORT cudaError_t cudaMemPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                    cudaMemLocation* prefetchLocs,
                                                    size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                    unsigned long long flags, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    const managed_ranges ranges{dptrs,        sizes,           count,
                                prefetchLocs, prefetchLocIdxs, numPrefetchLocs};
    return prefetch_batch(stream, ranges, flags);
  });
}

CONVOY_EXPORT cudaError_t cudaMemDiscardBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                   unsigned long long flags, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return discard_batch(stream, {.starts = dptrs, .sizes = sizes, .count = count}, flags);
  });
}

CONVOY_EXPORT cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void** dptrs, size_t* sizes, size_t count, cudaMemLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
    cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    const managed_ranges ranges{dptrs,        sizes,           count,
                                prefetchLocs, prefetchLocIdxs, numPrefetchLocs};
    return prefetch_batch(stream, ranges, flags);
  });
}

CONVOY_EXPORT cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize,
                                                   cudaMemRangeAttribute attribute,
                                                   const void* devPtr, size_t count) {
  return runtime_call(__func__,
                      [&] { return range_attribute(data, dataSize, attribute, devPtr, count); });
}

CONVOY_EXPORT cudaError_t cudaMemRangeGetAttributes(void** data, size_t* dataSizes,
                                                    cudaMemRangeAttribute* attributes,
                                                    size_t numAttributes, const void* devPtr,
                                                    size_t count) {
  return runtime_call(__func__, [&] {
    return range_attributes(data, dataSizes, {attributes, numAttributes}, devPtr, count);
  });
}

CONVOY_EXPORT cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length,
                                                   unsigned int flags) {
  return runtime_call(__func__, [&] { return attach(stream, devPtr, length, flags); });
}

}  // extern "C"
