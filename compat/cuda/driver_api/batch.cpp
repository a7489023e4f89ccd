// Batches of copies in both forms, and single copies with the attributes of a batch.
#include "calls/batch.hpp"

#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;

namespace {

// Tells the older form of a batch which copy was to blame.
outcome blame(const outcome& answer, std::size_t* item) {
  if (!answer.ok() && item != nullptr) *item = answer.why().item.value_or(SIZE_MAX);
  return answer;
}

}  // namespace

#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync

extern "C" {

CONVOY_EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                             size_t count, CUmemcpyAttributes* attrs,
                                             size_t* attrsIdxs, size_t numAttrs, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return submit_batch(hStream,
                        {twin(dsts), twin(srcs), sizes, count, twin(attrs), attrsIdxs, numAttrs});
  });
}

CONVOY_EXPORT CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs,
                                                  size_t* sizes, size_t count,
                                                  CUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                                  size_t numAttrs, CUstream hStream) {
  return cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                               per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                          size_t count, CUmemcpyAttributes* attrs,
                                          size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                          CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return blame(submit_batch(hStream, {twin(dsts), twin(srcs), sizes, count, twin(attrs),
                                        attrsIdxs, numAttrs}),
                 failIdx);
  });
}

CONVOY_EXPORT CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                               size_t count, CUmemcpyAttributes* attrs,
                                               size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                               CUstream hStream) {
  return cuMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx,
                            per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                               unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return submit_batch_3d(hStream, twin(opList), numOps, flags); });
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                                    unsigned long long flags, CUstream hStream) {
  return cuMemcpy3DBatchAsync_v2(numOps, opList, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                            size_t* failIdx, unsigned long long flags,
                                            CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return blame(submit_batch_3d(hStream, twin(opList), numOps, flags), failIdx);
  });
}

CONVOY_EXPORT CUresult cuMemcpy3DBatchAsync_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList,
                                                 size_t* failIdx, unsigned long long flags,
                                                 CUstream hStream) {
  return cuMemcpy3DBatchAsync(numOps, opList, failIdx, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, size_t size,
                                                   CUmemcpyAttributes* attr, CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> outcome {
    const std::size_t first = 0;
    const void* const from = pointer(src);
    void* const to = pointer(dst);
    return submit_batch(hStream, {&to, &from, &size, 1, twin(attr), &first, 1});
  });
}

CONVOY_EXPORT CUresult cuMemcpyWithAttributesAsync_ptsz(CUdeviceptr dst, CUdeviceptr src,
                                                        size_t size, CUmemcpyAttributes* attr,
                                                        CUstream hStream) {
  return cuMemcpyWithAttributesAsync(dst, src, size, attr, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op,
                                                     unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return submit_batch_3d(hStream, twin(op), 1, flags); });
}

CONVOY_EXPORT CUresult cuMemcpy3DWithAttributesAsync_ptsz(CUDA_MEMCPY3D_BATCH_OP* op,
                                                          unsigned long long flags,
                                                          CUstream hStream) {
  return cuMemcpy3DWithAttributesAsync(op, flags, per_thread(hStream));
}

}  // extern "C"
