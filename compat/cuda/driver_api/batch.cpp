// Batches of copies, in both versions, and single copies with the attributes of a batch.
#include "calls/batch.hpp"

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "driver_api/legacy_symbols.hpp"

using namespace convoy::cuda;

namespace {

// Writes the index of the failed copy for the older version, SIZE_MAX if no single copy failed.
call_status report_failed_item(const call_status& called, std::size_t* item) {
  if (!called.ok() && item != nullptr) *item = called.cause().item.value_or(SIZE_MAX);
  return called;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                             size_t count, CUmemcpyAttributes* attrs,
                                             size_t* attrsIdxs, size_t numAttrs, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return submit_batch(hStream, {as_runtime(dsts), as_runtime(srcs), sizes, count,
                                  as_runtime(attrs), attrsIdxs, numAttrs});
  });
}

CONVOY_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                          size_t count, CUmemcpyAttributes* attrs,
                                          size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                          CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return report_failed_item(
        submit_batch(hStream, {as_runtime(dsts), as_runtime(srcs), sizes, count, as_runtime(attrs),
                               attrsIdxs, numAttrs}),
        failIdx);
  });
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                               unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return submit_batch_3d(hStream, as_runtime(opList), numOps, flags); });
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                            size_t* failIdx, unsigned long long flags,
                                            CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return report_failed_item(submit_batch_3d(hStream, as_runtime(opList), numOps, flags), failIdx);
  });
}

CONVOY_EXPORT CUresult cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, size_t size,
                                                   CUmemcpyAttributes* attr, CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> call_status {
    const std::size_t first = 0;
    const void* const from = pointer(src);
    void* const to = pointer(dst);
    return submit_batch(hStream, {&to, &from, &size, 1, as_runtime(attr), &first, 1});
  });
}

CONVOY_EXPORT CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op,
                                                     unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return submit_batch_3d(hStream, as_runtime(op), 1, flags); });
}

}  // extern "C"
