// Batches of copies, and single copies with the attributes of a batch.
#include "calls/batch.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                               const size_t* sizes, size_t count,
                                               cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                               size_t numAttrs, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return submit_batch(stream, {dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs});
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, cudaMemcpy3DBatchOp* opList,
                                                 unsigned long long flags, cudaStream_t stream) {
  return runtime_call(__func__, [&] { return submit_batch_3d(stream, opList, numOps, flags); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyWithAttributesAsync(void* dst, const void* src, size_t size,
                                                        cudaMemcpyAttributes* attr,
                                                        cudaStream_t stream) {
  const size_t first = 0;
  return runtime_call(__func__, [&] {
    return submit_batch(stream, {&dst, &src, &size, 1, attr, &first, 1});
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* op,
                                                          unsigned long long flags,
                                                          cudaStream_t stream) {
  return runtime_call(__func__, [&] { return submit_batch_3d(stream, op, 1, flags); });
}

}  // extern "C"
