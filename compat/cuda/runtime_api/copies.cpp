// Copies and memsets that are not batches.
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
  pitched_copy box_copy;
  if (const call_status s = box_of(*p, &box_copy); !s.ok()) return s;
  return copy_box(call, stream, box_copy, p->kind);
}

call_status copy_peers_described(call_kind call, const cudaMemcpy3DPeerParms* p,
                                 cudaStream_t stream) {
  if (p == nullptr) return cudaErrorInvalidValue;
  pitched_copy box_copy;
  if (const call_status s = box_of(*p, &box_copy); !s.ok()) return s;
  return copy_between_devices(call, stream, box_copy, p->dstDevice, p->srcDevice);
}

call_status fill_bytes(call_kind call, cudaStream_t stream, const cudaPitchedPtr& memory,
                       const cudaExtent& extent, int value) {
  const auto byte = static_cast<std::uint32_t>(value) & 0xFF;
  return fill_box(call, stream, {memory.ptr, memory.pitch, memory.ysize},
                  {extent.width, extent.height, extent.depth}, {byte, 1});
}

// A contiguous copy as a box of one row.
pitched_copy linear_copy(void* dst, const void* src, std::size_t bytes) {
  return {pitched_side(dst, bytes), pitched_side(src, bytes), {bytes}};
}

}  // namespace

// Each is exported twice, for the legacy and for the per-thread default stream; see
// cmake/ConvoyPerThreadForms.cmake.
namespace convoy::cuda::on_default_stream {

cudaError_t cudaMemcpy(cudaStream_t stream, void* dst, const void* src, size_t count,
                       cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    return copy_bytes(call_kind::sync, stream, {dst, src, count}, kind);
  });
}

cudaError_t cudaMemcpy2D(cudaStream_t stream, void* dst, size_t dpitch, const void* src,
                         size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    const pitched_copy box_copy{
        pitched_side(dst, dpitch), pitched_side(src, spitch), {width, height}};
    return copy_box(call_kind::sync, stream, box_copy, kind);
  });
}

cudaError_t cudaMemcpy3D(cudaStream_t stream, const cudaMemcpy3DParms* p) {
  return runtime_call(__func__, [&] { return copy_described(call_kind::sync, p, stream); });
}

cudaError_t cudaMemcpy3DPeer(cudaStream_t stream, const cudaMemcpy3DPeerParms* p) {
  return runtime_call(__func__, [&] { return copy_peers_described(call_kind::sync, p, stream); });
}

cudaError_t cudaMemset(cudaStream_t stream, void* devPtr, int value, size_t count) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, stream, {devPtr, count, count, 1}, {count, 1, 1}, value);
  });
}

cudaError_t cudaMemset2D(cudaStream_t stream, void* devPtr, size_t pitch, int value, size_t width,
                         size_t height) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::sync, stream, {devPtr, pitch, width, height}, {width, height, 1},
                      value);
  });
}

cudaError_t cudaMemset3D(cudaStream_t stream, cudaPitchedPtr pitchedDevPtr, int value,
                         cudaExtent extent) {
  return runtime_call(
      __func__, [&] { return fill_bytes(call_kind::sync, stream, pitchedDevPtr, extent, value); });
}

}  // namespace convoy::cuda::on_default_stream

extern "C" {

CONVOY_EXPORT cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_bytes(call_kind::async, stream, {dst, src, count}, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src,
                                            size_t spitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    const pitched_copy box_copy{
        pitched_side(dst, dpitch), pitched_side(src, spitch), {width, height}};
    return copy_box(call_kind::async, stream, box_copy, kind);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return runtime_call(__func__, [&] { return copy_described(call_kind::async, p, stream); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src,
                                              int srcDevice, size_t count, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_between_devices(call_kind::async, stream, linear_copy(dst, src, count), dstDevice,
                                srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice,
                                         size_t count) {
  return runtime_call(__func__, [&] {
    return copy_between_devices(call_kind::sync, cudaStreamLegacy, linear_copy(dst, src, count),
                                dstDevice, srcDevice);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p,
                                                cudaStream_t stream) {
  return runtime_call(__func__, [&] { return copy_peers_described(call_kind::async, p, stream); });
}

CONVOY_EXPORT cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count,
                                          cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::async, stream, {devPtr, count, count, 1}, {count, 1, 1}, value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return fill_bytes(call_kind::async, stream, {devPtr, pitch, width, height}, {width, height, 1},
                      value);
  });
}

CONVOY_EXPORT cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value,
                                            cudaExtent extent, cudaStream_t stream) {
  return runtime_call(
      __func__, [&] { return fill_bytes(call_kind::async, stream, pitchedDevPtr, extent, value); });
}

}  // extern "C"
