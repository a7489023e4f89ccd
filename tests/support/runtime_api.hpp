// The CUDA runtime under the names that cuda_api.hpp describes.
#pragma once

#include <cstddef>

#include "support/cuda_contexts.hpp"

// Entry points that headers show under another name, or not yet.
extern "C" {
cudaError_t cudaMemcpyBatchAsync_ptsz(void* const* dsts, const void* const* srcs,
                                      const size_t* sizes, size_t count,
                                      cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                      size_t numAttrs, cudaStream_t stream);
cudaError_t cudaMemcpy_ptds(void* dst, const void* src, size_t count, cudaMemcpyKind kind);
cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaMemcpyWithAttributesAsync(void* dst, const void* src, size_t size,
                                          cudaMemcpyAttributes* attr, cudaStream_t stream);
cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* op, unsigned long long flags,
                                            cudaStream_t stream);
}

namespace convoy::test {

struct runtime_api {
  static constexpr const char* name = "runtime";

  using result = cudaError_t;
  static constexpr auto success = cudaSuccess;
  static constexpr auto not_ready = cudaErrorNotReady;
  static constexpr auto invalid_value = cudaErrorInvalidValue;
  static constexpr auto invalid_device = cudaErrorInvalidDevice;
  static constexpr auto invalid_handle = cudaErrorInvalidResourceHandle;
  static constexpr auto invalid_pitch = cudaErrorInvalidPitchValue;
  static constexpr auto destroyed = cudaErrorContextIsDestroyed;
  static constexpr auto not_permitted = cudaErrorNotPermitted;
  static constexpr auto not_supported = cudaErrorNotSupported;
  static constexpr auto out_of_memory = cudaErrorMemoryAllocation;
  static constexpr auto illegal_address = cudaErrorIllegalAddress;
  static constexpr auto already_registered = cudaErrorHostMemoryAlreadyRegistered;
  static constexpr auto not_registered = cudaErrorHostMemoryNotRegistered;
  static constexpr auto peer_enabled = cudaErrorPeerAccessAlreadyEnabled;
  static constexpr auto peer_not_enabled = cudaErrorPeerAccessNotEnabled;
  // The last error of the runtime after a call that was refused with `code`.
  static result last_error_after(result code) { return code; }

  // The runtime needs no current context.
  struct scope {};
  template <class Body>
  static void on_device(int device, const Body& body) {
    int before = 0;
    must(cudaGetDevice(&before));
    must(cudaSetDevice(device));
    body();
    must(cudaSetDevice(before));
  }
  static std::nullptr_t current_context() { return nullptr; }
  static void make_current(std::nullptr_t) {}
  static constexpr auto synchronize_device = cudaDeviceSynchronize;
  static result end_contents() { return cudaDeviceReset(); }

  static constexpr auto create_stream = cudaStreamCreateWithFlags;
  static constexpr auto create_stream_with_priority = cudaStreamCreateWithPriority;
  static constexpr auto destroy_stream = cudaStreamDestroy;
  static constexpr auto query = cudaStreamQuery;
  static constexpr auto synchronize = cudaStreamSynchronize;
  static constexpr auto stream_flags = cudaStreamGetFlags;
  static constexpr auto stream_priority = cudaStreamGetPriority;
  static constexpr auto stream_device = cudaStreamGetDevice;
  static constexpr auto stream_id = cudaStreamGetId;
  static constexpr auto stream_id_ptsz = cudaStreamGetId_ptsz;
  static constexpr auto priority_range = cudaDeviceGetStreamPriorityRange;
  static constexpr auto copy_attributes = cudaStreamCopyAttributes;
  static constexpr auto set_attribute = cudaStreamSetAttribute;
  static constexpr auto get_attribute = cudaStreamGetAttribute;
  using attribute_value = cudaStreamAttrValue;
  static constexpr auto sync_policy = cudaStreamAttributeSynchronizationPolicy;
  static constexpr auto yield = cudaSyncPolicyYield;
  using capture_status = cudaStreamCaptureStatus;
  static constexpr auto capture_none = cudaStreamCaptureStatusNone;
  static constexpr auto capture_active = cudaStreamCaptureStatusActive;
  static constexpr auto is_capturing = cudaStreamIsCapturing;
  using capture_mode = cudaStreamCaptureMode;
  static constexpr auto global = cudaStreamCaptureModeGlobal;
  static constexpr auto relaxed = cudaStreamCaptureModeRelaxed;
  static constexpr auto exchange_capture_mode = cudaThreadExchangeStreamCaptureMode;
  static constexpr auto launch_host_function = cudaLaunchHostFunc;
  static constexpr auto add_callback = cudaStreamAddCallback;

  static constexpr auto create_event = cudaEventCreateWithFlags;
  static constexpr auto destroy_event = cudaEventDestroy;
  static constexpr auto record = cudaEventRecord;
  static constexpr auto record_with_flags = cudaEventRecordWithFlags;
  static constexpr auto wait = cudaStreamWaitEvent;
  static constexpr auto query_event = cudaEventQuery;
  static constexpr auto synchronize_event = cudaEventSynchronize;
  static constexpr auto elapsed_time = cudaEventElapsedTime;

  static result allocate(void** start, std::size_t size) { return cudaMalloc(start, size); }
  static result allocate_pitched(void** start, std::size_t* pitch, std::size_t width,
                                 std::size_t height) {
    return cudaMallocPitch(start, pitch, width, height);
  }
  static result allocate_pinned(void** start, std::size_t size, unsigned flags) {
    return cudaHostAlloc(start, size, flags);
  }
  static result allocate_managed(void** start, std::size_t size) {
    return cudaMallocManaged(start, size, cudaMemAttachGlobal);
  }
  static result allocate_async(void** start, std::size_t size, cudaStream_t stream) {
    return cudaMallocAsync(start, size, stream);
  }
  static constexpr auto free_async = cudaFreeAsync;
  static constexpr auto free = cudaFree;
  static constexpr auto free_pinned = cudaFreeHost;
  static constexpr auto memory_info = cudaMemGetInfo;
  static constexpr auto host_flags = cudaHostGetFlags;
  static result device_pointer(void** device, void* host, unsigned flags) {
    return cudaHostGetDevicePointer(device, host, flags);
  }
  static constexpr auto register_memory = cudaHostRegister;
  static constexpr auto unregister_memory = cudaHostUnregister;
  static cudaPointerAttributes attributes_of(const void* pointer) {
    cudaPointerAttributes found = {};
    must(cudaPointerGetAttributes(&found, pointer));
    return found;
  }
  static int device_of(const void* pointer) { return attributes_of(pointer).device; }
  static bool is_pinned(const void* pointer) {
    return attributes_of(pointer).type == cudaMemoryTypeHost;
  }

  static result copy(void* dst, const void* src, std::size_t size) {
    return cudaMemcpy(dst, src, size, cudaMemcpyDefault);
  }
  static result copy_async(void* dst, const void* src, std::size_t size, cudaStream_t stream) {
    return cudaMemcpyAsync(dst, src, size, cudaMemcpyDefault, stream);
  }
  static result copy_to_device(void* dst, const void* src, std::size_t size) {
    return cudaMemcpy(dst, src, size, cudaMemcpyHostToDevice);
  }
  static result copy_to_host(void* dst, const void* src, std::size_t size) {
    return cudaMemcpy(dst, src, size, cudaMemcpyDeviceToHost);
  }
  static result copy_on_device(void* dst, const void* src, std::size_t size) {
    return cudaMemcpy(dst, src, size, cudaMemcpyDeviceToDevice);
  }
  static result copy_to_device_async(void* dst, const void* src, std::size_t size,
                                     cudaStream_t stream) {
    return cudaMemcpyAsync(dst, src, size, cudaMemcpyHostToDevice, stream);
  }
  static result copy_to_host_async(void* dst, const void* src, std::size_t size,
                                   cudaStream_t stream) {
    return cudaMemcpyAsync(dst, src, size, cudaMemcpyDeviceToHost, stream);
  }
  static result copy_on_device_async(void* dst, const void* src, std::size_t size,
                                     cudaStream_t stream) {
    return cudaMemcpyAsync(dst, src, size, cudaMemcpyDeviceToDevice, stream);
  }
  static result copy_to_device_ptds(void* dst, const void* src, std::size_t size) {
    return cudaMemcpy_ptds(dst, src, size, cudaMemcpyHostToDevice);
  }
  static result copy_peer(void* dst, int dst_device, const void* src, int src_device,
                          std::size_t size) {
    return cudaMemcpyPeer(dst, dst_device, src, src_device, size);
  }
  static result copy_peer_async(void* dst, int dst_device, const void* src, int src_device,
                                std::size_t size, cudaStream_t stream) {
    return cudaMemcpyPeerAsync(dst, dst_device, src, src_device, size, stream);
  }
  static result copy_rows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch,
                          std::size_t width, std::size_t height) {
    return cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, height, cudaMemcpyDefault);
  }
  static result copy_rows_async(void* dst, std::size_t dst_pitch, const void* src,
                                std::size_t src_pitch, std::size_t width, std::size_t height,
                                cudaStream_t stream) {
    return cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, cudaMemcpyDefault,
                             stream);
  }
  static constexpr auto fill = cudaMemset;
  static constexpr auto fill_async = cudaMemsetAsync;
  static constexpr auto fill_rows = cudaMemset2D;

  static constexpr const char* batch_name = "cudaMemcpyBatchAsync";
  using batch_dst = void*;
  using batch_src = const void*;
  static void* batch_pointer(void* pointer) { return pointer; }
  static const void* batch_pointer(const void* pointer) { return pointer; }
  using batch_attributes = cudaMemcpyAttributes;
  using access_order = cudaMemcpySrcAccessOrder;
  static constexpr auto order_invalid = cudaMemcpySrcAccessOrderInvalid;
  static constexpr auto order_stream = cudaMemcpySrcAccessOrderStream;
  static constexpr auto order_during_call = cudaMemcpySrcAccessOrderDuringApiCall;
  static constexpr auto order_any = cudaMemcpySrcAccessOrderAny;
  static constexpr auto order_max = cudaMemcpySrcAccessOrderMax;
  static result submit_batch(void* const* dsts, const void* const* srcs, const std::size_t* sizes,
                             std::size_t count, batch_attributes* attributes, std::size_t* firsts,
                             std::size_t runs, cudaStream_t stream) {
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attributes, firsts, runs, stream);
  }
  static constexpr auto submit_batch_ptsz = cudaMemcpyBatchAsync_ptsz;
  static constexpr auto copy_with_attributes = cudaMemcpyWithAttributesAsync;

  using box = cudaMemcpy3DBatchOp;
  using operand = cudaMemcpy3DOperand;
  static constexpr auto pointer_operand = cudaMemcpyOperandTypePointer;
  static constexpr auto array_operand = cudaMemcpyOperandTypeArray;
  static constexpr auto submit_boxes = cudaMemcpy3DBatchAsync;
  static constexpr auto submit_box = cudaMemcpy3DWithAttributesAsync;

  static constexpr auto can_access_peer = cudaDeviceCanAccessPeer;
  static constexpr auto enable_peer = cudaDeviceEnablePeerAccess;
  static constexpr auto disable_peer = cudaDeviceDisablePeerAccess;

  using memory_handle = cudaIpcMemHandle_t;
  using event_handle = cudaIpcEventHandle_t;
  static constexpr auto get_memory_handle = cudaIpcGetMemHandle;
  static result open_memory(void** start, memory_handle handle) {
    return cudaIpcOpenMemHandle(start, handle, cudaIpcMemLazyEnablePeerAccess);
  }
  static constexpr auto close_memory = cudaIpcCloseMemHandle;
  static constexpr auto get_event_handle = cudaIpcGetEventHandle;
  static constexpr auto open_event = cudaIpcOpenEventHandle;

  using log_iterator = cudaLogIterator;
  static constexpr auto log_current = cudaLogsCurrent;
  static constexpr auto log_dump = cudaLogsDumpToMemory;
};

}  // namespace convoy::test
