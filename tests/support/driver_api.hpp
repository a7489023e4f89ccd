// The CUDA driver under the names that cuda_api.hpp describes.
//
// Memory is a pointer; calls convert it to a CUdeviceptr.
#pragma once

#include <cstddef>

#include "support/cuda_contexts.hpp"

// Entry points that headers show under another name, or not yet.
extern "C" {
CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                    size_t count, CUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                    size_t numAttrs, CUstream hStream);
CUresult cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, size_t size,
                                     CUmemcpyAttributes* attr, CUstream hStream);
CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op, unsigned long long flags,
                                       CUstream hStream);
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);
CUresult cuStreamGetId_ptsz(CUstream hStream, unsigned long long* streamId);
}

namespace convoy::test {

struct driver_api {
  static constexpr const char* name = "driver";

  using result = CUresult;
  static constexpr auto success = CUDA_SUCCESS;
  static constexpr auto not_ready = CUDA_ERROR_NOT_READY;
  static constexpr auto invalid_value = CUDA_ERROR_INVALID_VALUE;
  static constexpr auto invalid_device = CUDA_ERROR_INVALID_DEVICE;
  static constexpr auto invalid_handle = CUDA_ERROR_INVALID_HANDLE;
  static constexpr auto invalid_pitch = CUDA_ERROR_INVALID_VALUE;
  static constexpr auto destroyed = CUDA_ERROR_CONTEXT_IS_DESTROYED;
  static constexpr auto not_permitted = CUDA_ERROR_NOT_PERMITTED;
  static constexpr auto not_supported = CUDA_ERROR_NOT_SUPPORTED;
  static constexpr auto out_of_memory = CUDA_ERROR_OUT_OF_MEMORY;
  static constexpr auto illegal_address = CUDA_ERROR_ILLEGAL_ADDRESS;
  static constexpr auto already_registered = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  static constexpr auto not_registered = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  static constexpr auto peer_enabled = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  static constexpr auto peer_not_enabled = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  static cudaError_t last_error_after(result) { return cudaSuccess; }

  // The primary context of device 0 is current, and both devices' are retained.
  struct scope {
    const primary_context primary{0};
    const primary_context second{1};
    const pushed here{primary};
  };
  template <class Body>
  static void on_device(int device, const Body& body) {
    const primary_context there(device);
    const pushed here(there);
    body();
  }
  // The context that is current in this thread, to make it current in another.
  static CUcontext current_context() {
    CUcontext current = nullptr;
    EXPECT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    return current;
  }
  static void make_current(CUcontext context) { EXPECT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS); }
  static constexpr auto synchronize_device = cuCtxSynchronize;
  static result end_contents() { return cuDevicePrimaryCtxRelease(0); }

  static constexpr auto create_stream = cuStreamCreate;
  static constexpr auto create_stream_with_priority = cuStreamCreateWithPriority;
  static constexpr auto destroy_stream = cuStreamDestroy;
  static constexpr auto query = cuStreamQuery;
  static constexpr auto synchronize = cuStreamSynchronize;
  static constexpr auto stream_flags = cuStreamGetFlags;
  static constexpr auto stream_priority = cuStreamGetPriority;
  static constexpr auto stream_device = cuStreamGetDevice;
  static constexpr auto stream_id = cuStreamGetId;
  static constexpr auto stream_id_ptsz = cuStreamGetId_ptsz;
  static constexpr auto priority_range = cuCtxGetStreamPriorityRange;
  static constexpr auto copy_attributes = cuStreamCopyAttributes;
  static constexpr auto set_attribute = cuStreamSetAttribute;
  static constexpr auto get_attribute = cuStreamGetAttribute;
  using attribute_value = CUstreamAttrValue;
  static constexpr auto sync_policy = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
  static constexpr auto yield = CU_SYNC_POLICY_YIELD;
  using capture_status = CUstreamCaptureStatus;
  static constexpr auto capture_none = CU_STREAM_CAPTURE_STATUS_NONE;
  static constexpr auto capture_active = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  static constexpr auto is_capturing = cuStreamIsCapturing;
  using capture_mode = CUstreamCaptureMode;
  static constexpr auto global = CU_STREAM_CAPTURE_MODE_GLOBAL;
  static constexpr auto relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
  static constexpr auto exchange_capture_mode = cuThreadExchangeStreamCaptureMode;
  static constexpr auto launch_host_function = cuLaunchHostFunc;
  static constexpr auto add_callback = cuStreamAddCallback;

  static constexpr auto create_event = cuEventCreate;
  static constexpr auto destroy_event = cuEventDestroy;
  static constexpr auto record = cuEventRecord;
  static constexpr auto record_with_flags = cuEventRecordWithFlags;
  static constexpr auto wait = cuStreamWaitEvent;
  static constexpr auto query_event = cuEventQuery;
  static constexpr auto synchronize_event = cuEventSynchronize;
  static constexpr auto elapsed_time = cuEventElapsedTime;

  // A call that answers an address, as one that answers a pointer.
  template <class Call>
  static result answer_pointer(void** start, const Call& call) {
    CUdeviceptr found = address(*start);
    const result answer = call(&found);
    *start = pointer(found);
    return answer;
  }
  static result allocate(void** start, std::size_t size) {
    return answer_pointer(start, [=](CUdeviceptr* found) { return cuMemAlloc(found, size); });
  }
  static result allocate_pitched(void** start, std::size_t* pitch, std::size_t width,
                                 std::size_t height) {
    return answer_pointer(
        start, [=](CUdeviceptr* found) { return cuMemAllocPitch(found, pitch, width, height, 4); });
  }
  static constexpr auto allocate_pinned = cuMemHostAlloc;
  static result allocate_managed(void** start, std::size_t size) {
    return answer_pointer(start, [=](CUdeviceptr* found) {
      return cuMemAllocManaged(found, size, CU_MEM_ATTACH_GLOBAL);
    });
  }
  static result allocate_async(void** start, std::size_t size, CUstream stream) {
    return answer_pointer(start,
                          [=](CUdeviceptr* found) { return cuMemAllocAsync(found, size, stream); });
  }
  static result free_async(void* start, CUstream stream) {
    return cuMemFreeAsync(address(start), stream);
  }
  static result free(void* start) { return cuMemFree(address(start)); }
  static constexpr auto free_pinned = cuMemFreeHost;
  static constexpr auto memory_info = cuMemGetInfo;
  static constexpr auto host_flags = cuMemHostGetFlags;
  static result device_pointer(void** device, void* host, unsigned flags) {
    return answer_pointer(
        device, [=](CUdeviceptr* found) { return cuMemHostGetDevicePointer(found, host, flags); });
  }
  static constexpr auto register_memory = cuMemHostRegister;
  static constexpr auto unregister_memory = cuMemHostUnregister;
  static int device_of(const void* pointer) {
    int device = -1;
    must(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address(pointer)));
    return device;
  }
  static bool is_pinned(const void* pointer) {
    unsigned type = 0;
    return cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pointer)) ==
               CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_HOST;
  }

  static result copy(void* dst, const void* src, std::size_t size) {
    return cuMemcpy(address(dst), address(src), size);
  }
  static result copy_async(void* dst, const void* src, std::size_t size, CUstream stream) {
    return cuMemcpyAsync(address(dst), address(src), size, stream);
  }
  static result copy_to_device(void* dst, const void* src, std::size_t size) {
    return cuMemcpyHtoD(address(dst), src, size);
  }
  static result copy_to_host(void* dst, const void* src, std::size_t size) {
    return cuMemcpyDtoH(dst, address(src), size);
  }
  static result copy_on_device(void* dst, const void* src, std::size_t size) {
    return cuMemcpyDtoD(address(dst), address(src), size);
  }
  static result copy_to_device_async(void* dst, const void* src, std::size_t size,
                                     CUstream stream) {
    return cuMemcpyHtoDAsync(address(dst), src, size, stream);
  }
  static result copy_to_host_async(void* dst, const void* src, std::size_t size, CUstream stream) {
    return cuMemcpyDtoHAsync(dst, address(src), size, stream);
  }
  static result copy_on_device_async(void* dst, const void* src, std::size_t size,
                                     CUstream stream) {
    return cuMemcpyDtoDAsync(address(dst), address(src), size, stream);
  }
  static result copy_to_device_ptds(void* dst, const void* src, std::size_t size) {
    return cuMemcpyHtoD_v2_ptds(address(dst), src, size);
  }
  static result copy_peer(void* dst, int dst_device, const void* src, int src_device,
                          std::size_t size) {
    const primary_context to(dst_device);
    const primary_context from(src_device);
    return cuMemcpyPeer(address(dst), to, address(src), from, size);
  }
  static result copy_peer_async(void* dst, int dst_device, const void* src, int src_device,
                                std::size_t size, CUstream stream) {
    const primary_context to(dst_device);
    const primary_context from(src_device);
    return cuMemcpyPeerAsync(address(dst), to, address(src), from, size, stream);
  }
  static CUDA_MEMCPY2D rows(void* dst, std::size_t dst_pitch, const void* src,
                            std::size_t src_pitch, std::size_t width, std::size_t height) {
    CUDA_MEMCPY2D made = {};
    made.srcMemoryType = made.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    made.srcDevice = address(src);
    made.srcPitch = src_pitch;
    made.dstDevice = address(dst);
    made.dstPitch = dst_pitch;
    made.WidthInBytes = width;
    made.Height = height;
    return made;
  }
  static result copy_rows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch,
                          std::size_t width, std::size_t height) {
    const CUDA_MEMCPY2D copy = rows(dst, dst_pitch, src, src_pitch, width, height);
    return cuMemcpy2D(&copy);
  }
  static result copy_rows_async(void* dst, std::size_t dst_pitch, const void* src,
                                std::size_t src_pitch, std::size_t width, std::size_t height,
                                CUstream stream) {
    const CUDA_MEMCPY2D copy = rows(dst, dst_pitch, src, src_pitch, width, height);
    return cuMemcpy2DAsync(&copy, stream);
  }
  static result fill(void* start, int value, std::size_t size) {
    return cuMemsetD8(address(start), static_cast<unsigned char>(value), size);
  }
  static result fill_async(void* start, int value, std::size_t size, CUstream stream) {
    return cuMemsetD8Async(address(start), static_cast<unsigned char>(value), size, stream);
  }
  static result fill_rows(void* start, std::size_t pitch, int value, std::size_t width,
                          std::size_t height) {
    return cuMemsetD2D8(address(start), pitch, static_cast<unsigned char>(value), width, height);
  }

  static constexpr const char* batch_name = "cuMemcpyBatchAsync";
  using batch_dst = CUdeviceptr;
  using batch_src = CUdeviceptr;
  static CUdeviceptr batch_pointer(const void* pointer) { return address(pointer); }
  using batch_attributes = CUmemcpyAttributes;
  using access_order = CUmemcpySrcAccessOrder;
  static constexpr auto order_invalid = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
  static constexpr auto order_stream = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  static constexpr auto order_during_call = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  static constexpr auto order_any = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
  static constexpr auto order_max = CU_MEMCPY_SRC_ACCESS_ORDER_MAX;
  static constexpr auto submit_batch = cuMemcpyBatchAsync;
  static constexpr auto submit_batch_ptsz = cuMemcpyBatchAsync_v2_ptsz;
  static result copy_with_attributes(void* dst, const void* src, std::size_t size,
                                     batch_attributes* attributes, CUstream stream) {
    return cuMemcpyWithAttributesAsync(address(dst), address(src), size, attributes, stream);
  }

  using box = CUDA_MEMCPY3D_BATCH_OP;
  using operand = CUmemcpy3DOperand;
  static constexpr auto pointer_operand = CU_MEMCPY_OPERAND_TYPE_POINTER;
  static constexpr auto array_operand = CU_MEMCPY_OPERAND_TYPE_ARRAY;
  static constexpr auto submit_boxes = cuMemcpy3DBatchAsync;
  static constexpr auto submit_box = cuMemcpy3DWithAttributesAsync;

  static constexpr auto can_access_peer = cuDeviceCanAccessPeer;
  static result enable_peer(int device, unsigned flags) {
    const primary_context peer(device);
    return cuCtxEnablePeerAccess(peer, flags);
  }
  static result disable_peer(int device) {
    const primary_context peer(device);
    return cuCtxDisablePeerAccess(peer);
  }

  using memory_handle = CUipcMemHandle;
  using event_handle = CUipcEventHandle;
  static result get_memory_handle(memory_handle* handle, void* start) {
    return cuIpcGetMemHandle(handle, address(start));
  }
  static result open_memory(void** start, memory_handle handle) {
    return answer_pointer(start, [=](CUdeviceptr* found) {
      return cuIpcOpenMemHandle(found, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    });
  }
  static result close_memory(void* start) { return cuIpcCloseMemHandle(address(start)); }
  static constexpr auto get_event_handle = cuIpcGetEventHandle;
  static constexpr auto open_event = cuIpcOpenEventHandle;

  using log_iterator = CUlogIterator;
  static constexpr auto log_current = cuLogsCurrent;
  static constexpr auto log_dump = cuLogsDumpToMemory;
};

}  // namespace convoy::test
