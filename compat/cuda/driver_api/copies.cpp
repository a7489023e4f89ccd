// Copies that are not batches.
#include "calls/copy.hpp"
#include "driver_api/copy_parameters.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::device_id;
using convoy::pitched_copy;

namespace {

convoy::copy linear_copy(CUdeviceptr dst, const void* src, std::size_t bytes) {
  return {pointer(dst), src, bytes};
}

template <class Parameters>
call_status copy_described(call_kind call, const Parameters* from, CUstream stream) {
  described_copy described;
  if (const call_status s = describe_copy(from, &described); !s.ok()) return s;
  return copy_box(call, stream, described.box, described.kind);
}

struct peer_contexts {
  CUcontext dst;
  CUcontext src;
};

call_status devices_of(const peer_contexts& contexts, int* dst, int* src) {
  context* found = nullptr;
  if (const call_status s = find_context(contexts.dst, &found); !s.ok()) return s;
  *dst = ordinal_of(found->device);
  if (const call_status s = find_context(contexts.src, &found); !s.ok()) return s;
  *src = ordinal_of(found->device);
  return cudaSuccess;
}

call_status copy_peers(call_kind call, CUstream stream, const peer_contexts& contexts,
                       const pitched_copy& box_copy) {
  int dst = 0;
  int src = 0;
  if (const call_status s = devices_of(contexts, &dst, &src); !s.ok()) return s;
  return copy_between_devices(call, stream, box_copy, dst, src);
}

pitched_copy single_row(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes) {
  return {{pointer(dst), bytes, 0}, {pointer(src), bytes, 0}, {bytes}};
}

call_status copy_peers_described(call_kind call, const CUDA_MEMCPY3D_PEER* from, CUstream stream) {
  described_copy described;
  if (const call_status s = describe_copy(from, &described); !s.ok()) return s;
  return copy_peers(call, stream, {from->dstContext, from->srcContext}, described.box);
}

}  // namespace

// Each is exported twice, for the legacy and for the per-thread default stream; see
// cmake/ConvoyPerThreadForms.cmake.
namespace convoy::cuda::on_default_stream {

CUresult cuMemcpy(CUstream stream, CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, stream, linear_copy(dst, pointer(src), ByteCount),
                      cudaMemcpyDefault);
  });
}

CUresult cuMemcpyHtoD_v2(CUstream stream, CUdeviceptr dstDevice, const void* srcHost,
                         size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, stream, linear_copy(dstDevice, srcHost, ByteCount),
                      cudaMemcpyHostToDevice);
  });
}

CUresult cuMemcpyDtoH_v2(CUstream stream, void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, stream, {dstHost, pointer(srcDevice), ByteCount},
                      cudaMemcpyDeviceToHost);
  });
}

CUresult cuMemcpyDtoD_v2(CUstream stream, CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                         size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, stream,
                      linear_copy(dstDevice, pointer(srcDevice), ByteCount),
                      cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpy2D_v2(CUstream stream, const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__,
                    [&](device_id) { return copy_described(call_kind::sync, pCopy, stream); });
}

CUresult cuMemcpy2DUnaligned_v2(CUstream stream, const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__,
                    [&](device_id) { return copy_described(call_kind::sync, pCopy, stream); });
}

CUresult cuMemcpy3D_v2(CUstream stream, const CUDA_MEMCPY3D* pCopy) {
  return in_context(__func__,
                    [&](device_id) { return copy_described(call_kind::sync, pCopy, stream); });
}

CUresult cuMemcpyPeer(CUstream stream, CUdeviceptr dstDevice, CUcontext dstContext,
                      CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_peers(call_kind::sync, stream, {dstContext, srcContext},
                      single_row(dstDevice, srcDevice, ByteCount));
  });
}

CUresult cuMemcpy3DPeer(CUstream stream, const CUDA_MEMCPY3D_PEER* pCopy) {
  return in_context(
      __func__, [&](device_id) { return copy_peers_described(call_kind::sync, pCopy, stream); });
}

}  // namespace convoy::cuda::on_default_stream

extern "C" {

CONVOY_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                     CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, linear_copy(dst, pointer(src), ByteCount),
                      cudaMemcpyDefault);
  });
}

CONVOY_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost,
                                            size_t ByteCount, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, linear_copy(dstDevice, srcHost, ByteCount),
                      cudaMemcpyHostToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                            CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, {dstHost, pointer(srcDevice), ByteCount},
                      cudaMemcpyDeviceToHost);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                            size_t ByteCount, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream,
                      linear_copy(dstDevice, pointer(srcDevice), ByteCount),
                      cudaMemcpyDeviceToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return copy_described(call_kind::async, pCopy, hStream); });
}

CONVOY_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return copy_described(call_kind::async, pCopy, hStream); });
}

CONVOY_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                         CUdeviceptr srcDevice, CUcontext srcContext,
                                         size_t ByteCount, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_peers(call_kind::async, hStream, {dstContext, srcContext},
                      single_row(dstDevice, srcDevice, ByteCount));
  });
}

CONVOY_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return copy_peers_described(call_kind::async, pCopy, hStream); });
}

}  // extern "C"
