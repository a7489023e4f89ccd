// Copies that are not batches, and fills.
#include <cuda_runtime_api.h>

#include "calls/copy.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;
using convoy::box;
using convoy::pitched;
using convoy::pitched_copy;

namespace {

pitched pitched_side(const void* start, std::size_t pitch) {
  return {const_cast<void*>(start), pitch, 0};
}

call_status copy_described(call_kind call, const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr) return cudaErrorInvalidValue;
  pitched_copy rows;
  if (const call_status s = box_of(*p, &rows); !s.ok()) return s;
  return copy_box(call, stream, rows, p->kind);
}

call_status fill_bytes(call_kind call, cudaStream_t stream, const cudaPitchedPtr& memory,
                       const cudaExtent& extent, int value) {
  const auto byte = static_cast<std::uint32_t>(value) & 0xFF;
  return fill_box(call, stream, {memory.ptr, memory.pitch, memory.ysize},
                  {extent.width, extent.height, extent.depth}, {byte, 1});
}

// A line of bytes is a box of one row.
pitched_copy linear_copy(void* dst, const void* src, std::size_t bytes) {
  return {pitched_side(dst, bytes), pitched_side(src, bytes), {bytes}};
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_bytes(call_kind::async, stream, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t count,
                                               cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyAsync(dst, src, count, kind, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy(void* dst, const void* src, size_t count,
                                     cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    return copy_bytes(call_kind::sync, cudaStreamLegacy, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy_ptds(void* dst, const void* src, size_t count,
                                          cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    return copy_bytes(call_kind::sync, cudaStreamPerThread, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src,
                                            size_t spitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    const pitched_copy rows{pitched_side(dst, dpitch), pitched_side(src, spitch), {width, height}};
    return copy_box(call_kind::async, stream, rows, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2DAsync_ptsz(void* dst, size_t dpitch, const void* src,
                                                 size_t spitch, size_t width, size_t height,
                                                 cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                                       size_t width, size_t height, cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    const pitched_copy rows{pitched_side(dst, dpitch), pitched_side(src, spitch), {width, height}};
    return copy_box(call_kind::sync, cudaStreamLegacy, rows, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2D_ptds(void* dst, size_t dpitch, const void* src,
                                            size_t spitch, size_t width, size_t height,
                                            cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    const pitched_copy rows{pitched_side(dst, dpitch), pitched_side(src, spitch), {width, height}};
    return copy_box(call_kind::sync, cudaStreamPerThread, rows, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return runtime_call(__func__, [&] { return copy_described(call_kind::async, p, stream); });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return cudaMemcpy3DAsync(p, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return runtime_call(__func__,
                      [&] { return copy_described(call_kind::sync, p, cudaStreamLegacy); });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* p) {
  return runtime_call(__func__,
                      [&] { return copy_described(call_kind::sync, p, cudaStreamPerThread); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src,
                                              int srcDevice, size_t count, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_between_devices(stream, linear_copy(dst, src, count), dstDevice, srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice,
                                         size_t count) {
  return runtime_call(__func__, [&] {
    return copy_between_devices(linear_copy(dst, src, count), dstDevice, srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p,
                                                cudaStream_t stream) {
  return runtime_call(__func__, [&]() -> call_status {
    pitched_copy rows;
    if (p == nullptr) return cudaErrorInvalidValue;
    if (const call_status s = box_of(*p, &rows); !s.ok()) return s;
    return copy_between_devices(stream, rows, p->dstDevice, p->srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* p,
                                                     cudaStream_t stream) {
  return cudaMemcpy3DPeerAsync(p, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return runtime_call(__func__, [&]() -> call_status {
    pitched_copy rows;
    if (p == nullptr) return cudaErrorInvalidValue;
    if (const call_status s = box_of(*p, &rows); !s.ok()) return s;
    return copy_between_devices(rows, p->dstDevice, p->srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* p) {
  return cudaMemcpy3DPeerAsync(p, cudaStreamPerThread);
}

CONVOY_EXPORT cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count,
                                          cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::async, stream, {devPtr, count, count, 1}, {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemsetAsync_ptsz(void* devPtr, int value, size_t count,
                                               cudaStream_t stream) {
  return cudaMemsetAsync(devPtr, value, count, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamLegacy, {devPtr, count, count, 1}, {count, 1, 1},
                      value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset_ptds(void* devPtr, int value, size_t count) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamPerThread, {devPtr, count, count, 1},
                      {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::async, stream, {devPtr, pitch, width, height}, {width, height, 1},
                      value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2DAsync_ptsz(void* devPtr, size_t pitch, int value,
                                                 size_t width, size_t height, cudaStream_t stream) {
  return cudaMemset2DAsync(devPtr, pitch, value, width, height, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width,
                                       size_t height) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamLegacy, {devPtr, pitch, width, height},
                      {width, height, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2D_ptds(void* devPtr, size_t pitch, int value, size_t width,
                                            size_t height) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamPerThread, {devPtr, pitch, width, height},
                      {width, height, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value,
                                            cudaExtent extent, cudaStream_t stream) {
  return runtime_call(
      __func__, [&] { return fill_bytes(call_kind::async, stream, pitchedDevPtr, extent, value); });
}

CONVOY_EXPORT cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr pitchedDevPtr, int value,
                                                 cudaExtent extent, cudaStream_t stream) {
  return cudaMemset3DAsync(pitchedDevPtr, value, extent, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamLegacy, pitchedDevPtr, extent, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3D_ptds(cudaPitchedPtr pitchedDevPtr, int value,
                                            cudaExtent extent) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, cudaStreamPerThread, pitchedDevPtr, extent, value);
  });
}

}  // extern "C"
