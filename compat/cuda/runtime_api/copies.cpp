// Copies that are not batches, and fills.
#include <cuda_runtime_api.h>

#include "calls/copy.hpp"
#include "runtime_api/border.hpp"

using namespace convoy::cuda;
using convoy::box;
using convoy::pitched;
using convoy::pitched_copy;

namespace {

pitched side(const void* start, std::size_t pitch) { return {const_cast<void*>(start), pitch, 0}; }

outcome copy_parameters(manner how, const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr) return cudaErrorInvalidValue;
  pitched_copy what;
  if (const outcome o = box_of(*p, &what); !o.ok()) return o;
  return copy_box(how, stream, what, p->kind);
}

outcome fill_bytes(manner how, cudaStream_t stream, const cudaPitchedPtr& where,
                   const cudaExtent& extent, int value) {
  const auto byte = static_cast<std::uint32_t>(value) & 0xFF;
  return fill_box(how, stream, {where.ptr, where.pitch, where.ysize},
                  {extent.width, extent.height, extent.depth}, {byte, 1});
}

// A line of bytes is a box of one row.
pitched_copy line(void* dst, const void* src, std::size_t bytes) {
  return {side(dst, bytes), side(src, bytes), {bytes}};
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return border(__func__, [&] {
    return copy_bytes(manner::in_stream, stream, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t count,
                                               cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyAsync(dst, src, count, kind, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy(void* dst, const void* src, size_t count,
                                     cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_bytes(manner::in_passing, cudaStreamLegacy, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy_ptds(void* dst, const void* src, size_t count,
                                          cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_bytes(manner::in_passing, cudaStreamPerThread, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src,
                                            size_t spitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return border(__func__, [&] {
    const pitched_copy what{side(dst, dpitch), side(src, spitch), {width, height}};
    return copy_box(manner::in_stream, stream, what, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2DAsync_ptsz(void* dst, size_t dpitch, const void* src,
                                                 size_t spitch, size_t width, size_t height,
                                                 cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                                       size_t width, size_t height, cudaMemcpyKind kind) {
  return border(__func__, [&] {
    const pitched_copy what{side(dst, dpitch), side(src, spitch), {width, height}};
    return copy_box(manner::in_passing, cudaStreamLegacy, what, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2D_ptds(void* dst, size_t dpitch, const void* src,
                                            size_t spitch, size_t width, size_t height,
                                            cudaMemcpyKind kind) {
  return border(__func__, [&] {
    const pitched_copy what{side(dst, dpitch), side(src, spitch), {width, height}};
    return copy_box(manner::in_passing, cudaStreamPerThread, what, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return border(__func__, [&] { return copy_parameters(manner::in_stream, p, stream); });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return cudaMemcpy3DAsync(p, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return border(__func__, [&] { return copy_parameters(manner::in_passing, p, cudaStreamLegacy); });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* p) {
  return border(__func__,
                [&] { return copy_parameters(manner::in_passing, p, cudaStreamPerThread); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src,
                                              int srcDevice, size_t count, cudaStream_t stream) {
  return border(__func__, [&] {
    return copy_between_devices(stream, line(dst, src, count), dstDevice, srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice,
                                         size_t count) {
  return border(__func__,
                [&] { return copy_between_devices(line(dst, src, count), dstDevice, srcDevice); });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p,
                                                cudaStream_t stream) {
  return border(__func__, [&]() -> outcome {
    pitched_copy what;
    if (p == nullptr) return cudaErrorInvalidValue;
    if (const outcome o = box_of(*p, &what); !o.ok()) return o;
    return copy_between_devices(stream, what, p->dstDevice, p->srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* p,
                                                     cudaStream_t stream) {
  return cudaMemcpy3DPeerAsync(p, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return border(__func__, [&]() -> outcome {
    pitched_copy what;
    if (p == nullptr) return cudaErrorInvalidValue;
    if (const outcome o = box_of(*p, &what); !o.ok()) return o;
    return copy_between_devices(what, p->dstDevice, p->srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* p) {
  return cudaMemcpy3DPeerAsync(p, cudaStreamPerThread);
}

CONVOY_EXPORT cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count,
                                          cudaStream_t stream) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_stream, stream, {devPtr, count, count, 1}, {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemsetAsync_ptsz(void* devPtr, int value, size_t count,
                                               cudaStream_t stream) {
  return cudaMemsetAsync(devPtr, value, count, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamLegacy, {devPtr, count, count, 1},
                      {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset_ptds(void* devPtr, int value, size_t count) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamPerThread, {devPtr, count, count, 1},
                      {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_stream, stream, {devPtr, pitch, width, height}, {width, height, 1},
                      value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2DAsync_ptsz(void* devPtr, size_t pitch, int value,
                                                 size_t width, size_t height, cudaStream_t stream) {
  return cudaMemset2DAsync(devPtr, pitch, value, width, height, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width,
                                       size_t height) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamLegacy, {devPtr, pitch, width, height},
                      {width, height, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2D_ptds(void* devPtr, size_t pitch, int value, size_t width,
                                            size_t height) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamPerThread, {devPtr, pitch, width, height},
                      {width, height, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value,
                                            cudaExtent extent, cudaStream_t stream) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_stream, stream, pitchedDevPtr, extent, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr pitchedDevPtr, int value,
                                                 cudaExtent extent, cudaStream_t stream) {
  return cudaMemset3DAsync(pitchedDevPtr, value, extent, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamLegacy, pitchedDevPtr, extent, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3D_ptds(cudaPitchedPtr pitchedDevPtr, int value,
                                            cudaExtent extent) {
  return border(__func__, [&] {
    return fill_bytes(manner::in_passing, cudaStreamPerThread, pitchedDevPtr, extent, value);
  });
}

}  // extern "C"
