// Copies that are not batches.
#include "calls/copy.hpp"
#include "driver_api/contexts.hpp"
#include "driver_api/copy_parameters.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::device_id;
using convoy::pitched_copy;

namespace {

// Which way a copy goes by the words of its function.
convoy::copy linear_copy(CUdeviceptr dst, const void* src, std::size_t bytes) {
  return {pointer(dst), src, bytes};
}

template <class Parameters>
call_status copy_described(call_kind call, const Parameters* from, CUstream stream) {
  described_copy described;
  if (const call_status s = describe_copy(from, &described); !s.ok()) return s;
  return copy_box(call, stream, described.box, described.kind);
}

// What a copy between two contexts is about.
struct peer_contexts {
  CUcontext dst;
  CUcontext src;
};

call_status devices_of(const peer_contexts& contexts, int* dst, int* src) {
  context* found = nullptr;
  if (const call_status s = find_context(contexts.dst, &found); !s.ok()) return s;
  *dst = number(found->device);
  if (const call_status s = find_context(contexts.src, &found); !s.ok()) return s;
  *src = number(found->device);
  return cudaSuccess;
}

call_status copy_peers(const peer_contexts& contexts, const pitched_copy& rows) {
  int dst = 0;
  int src = 0;
  if (const call_status s = devices_of(contexts, &dst, &src); !s.ok()) return s;
  return copy_between_devices(rows, dst, src);
}

call_status copy_peers(const peer_contexts& contexts, const pitched_copy& rows, CUstream stream) {
  int dst = 0;
  int src = 0;
  if (const call_status s = devices_of(contexts, &dst, &src); !s.ok()) return s;
  return copy_between_devices(stream, rows, dst, src);
}

pitched_copy single_row(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes) {
  return {{pointer(dst), bytes, 0}, {pointer(src), bytes, 0}, {bytes}};
}

template <class... Stream>
call_status copy_peers_described(const CUDA_MEMCPY3D_PEER* from, Stream... stream) {
  described_copy described;
  if (const call_status s = describe_copy(from, &described); !s.ok()) return s;
  return copy_peers({from->dstContext, from->srcContext}, described.box, stream...);
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_LEGACY, linear_copy(dst, pointer(src), ByteCount),
                      cudaMemcpyDefault);
  });
}

CONVOY_EXPORT CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_PER_THREAD,
                      linear_copy(dst, pointer(src), ByteCount), cudaMemcpyDefault);
  });
}

CONVOY_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                     CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, linear_copy(dst, pointer(src), ByteCount),
                      cudaMemcpyDefault);
  });
}

CONVOY_EXPORT CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                          CUstream hStream) {
  return cuMemcpyAsync(dst, src, ByteCount, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost,
                                       size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_LEGACY, linear_copy(dstDevice, srcHost, ByteCount),
                      cudaMemcpyHostToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void* srcHost,
                                            size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_PER_THREAD,
                      linear_copy(dstDevice, srcHost, ByteCount), cudaMemcpyHostToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost,
                                            size_t ByteCount, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, linear_copy(dstDevice, srcHost, ByteCount),
                      cudaMemcpyHostToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dstDevice, const void* srcHost,
                                                 size_t ByteCount, CUstream hStream) {
  return cuMemcpyHtoDAsync_v2(dstDevice, srcHost, ByteCount, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_LEGACY, {dstHost, pointer(srcDevice), ByteCount},
                      cudaMemcpyDeviceToHost);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoH_v2_ptds(void* dstHost, CUdeviceptr srcDevice,
                                            size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_PER_THREAD,
                      {dstHost, pointer(srcDevice), ByteCount}, cudaMemcpyDeviceToHost);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                            CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_bytes(call_kind::async, hStream, {dstHost, pointer(srcDevice), ByteCount},
                      cudaMemcpyDeviceToHost);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoHAsync_v2_ptsz(void* dstHost, CUdeviceptr srcDevice,
                                                 size_t ByteCount, CUstream hStream) {
  return cuMemcpyDtoHAsync_v2(dstHost, srcDevice, ByteCount, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                       size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_LEGACY,
                      linear_copy(dstDevice, pointer(srcDevice), ByteCount),
                      cudaMemcpyDeviceToDevice);
  });
}

CONVOY_EXPORT CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                            size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_bytes(call_kind::sync, CU_STREAM_PER_THREAD,
                      linear_copy(dstDevice, pointer(srcDevice), ByteCount),
                      cudaMemcpyDeviceToDevice);
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

CONVOY_EXPORT CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                                 size_t ByteCount, CUstream hStream) {
  return cuMemcpyDtoDAsync_v2(dstDevice, srcDevice, ByteCount, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_LEGACY);
  });
}

CONVOY_EXPORT CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_PER_THREAD);
  });
}

CONVOY_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_LEGACY);
  });
}

CONVOY_EXPORT CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_PER_THREAD);
  });
}

CONVOY_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return copy_described(call_kind::async, pCopy, hStream); });
}

CONVOY_EXPORT CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return cuMemcpy2DAsync_v2(pCopy, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_LEGACY);
  });
}

CONVOY_EXPORT CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* pCopy) {
  return in_context(__func__, [&](device_id) {
    return copy_described(call_kind::sync, pCopy, CU_STREAM_PER_THREAD);
  });
}

CONVOY_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return copy_described(call_kind::async, pCopy, hStream); });
}

CONVOY_EXPORT CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return cuMemcpy3DAsync_v2(pCopy, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext,
                                    CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_peers({dstContext, srcContext}, single_row(dstDevice, srcDevice, ByteCount));
  });
}

CONVOY_EXPORT CUresult cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext,
                                         CUdeviceptr srcDevice, CUcontext srcContext,
                                         size_t ByteCount) {
  return in_context(__func__, [&](device_id) {
    return copy_peers({dstContext, srcContext}, single_row(dstDevice, srcDevice, ByteCount),
                      CU_STREAM_PER_THREAD);
  });
}

CONVOY_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                         CUdeviceptr srcDevice, CUcontext srcContext,
                                         size_t ByteCount, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return copy_peers({dstContext, srcContext}, single_row(dstDevice, srcDevice, ByteCount),
                      hStream);
  });
}

CONVOY_EXPORT CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice, CUcontext dstContext,
                                              CUdeviceptr srcDevice, CUcontext srcContext,
                                              size_t ByteCount, CUstream hStream) {
  return cuMemcpyPeerAsync(dstDevice, dstContext, srcDevice, srcContext, ByteCount,
                           per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy) {
  return in_context(__func__, [&](device_id) { return copy_peers_described(pCopy); });
}

CONVOY_EXPORT CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* pCopy) {
  return in_context(__func__,
                    [&](device_id) { return copy_peers_described(pCopy, CU_STREAM_PER_THREAD); });
}

CONVOY_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return copy_peers_described(pCopy, hStream); });
}

CONVOY_EXPORT CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream) {
  return cuMemcpy3DPeerAsync(pCopy, per_thread(hStream));
}

}  // extern "C"
