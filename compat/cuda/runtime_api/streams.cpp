// Streams, host functions and callbacks.
#include "calls/streams.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return on_current_device(__func__, [&](device_id device) {
    return make_stream_on(device, cudaStreamDefault, 0, pStream);
  });
}

CONVOY_EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  return on_current_device(
      __func__, [&](device_id device) { return make_stream_on(device, flags, 0, pStream); });
}

CONVOY_EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags,
                                                       int priority) {
  return on_current_device(
      __func__, [&](device_id device) { return make_stream_on(device, flags, priority, pStream); });
}

CONVOY_EXPORT cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return runtime_call(__func__, [&] { return destroy_stream(stream); });
}

CONVOY_EXPORT cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority,
                                                           int* greatestPriority) {
  return on_current_device(__func__, [&](device_id) {
    if (leastPriority != nullptr) *leastPriority = least_priority;
    if (greatestPriority != nullptr) *greatestPriority = greatest_priority;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int* priority) {
  return runtime_call(__func__, [&] { return priority_of(hStream, priority); });
}

CONVOY_EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int* flags) {
  return runtime_call(__func__, [&] { return flags_of(hStream, flags); });
}

CONVOY_EXPORT cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long* streamId) {
  return runtime_call(__func__, [&] { return id_of(hStream, streamId); });
}

CONVOY_EXPORT cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int* device) {
  return runtime_call(__func__, [&] { return device_of(hStream, device); });
}

CONVOY_EXPORT cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return runtime_call(__func__, [&] { return copy_attributes(dst, src); });
}

CONVOY_EXPORT cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                                 cudaStreamAttrValue* value_out) {
  return runtime_call(__func__, [&] { return get_attribute(hStream, attr, value_out); });
}

CONVOY_EXPORT cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                                 const cudaStreamAttrValue* value) {
  return runtime_call(__func__, [&] { return set_attribute(hStream, attr, value); });
}

CONVOY_EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned int flags) {
  return runtime_call(__func__, [&] { return wait_event(stream, event, flags); });
}

CONVOY_EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                void* userData, unsigned int flags) {
  return runtime_call(__func__, [&] { return add_callback(stream, callback, userData, flags); });
}

CONVOY_EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
  return runtime_call(__func__, [&] { return launch_host_function(stream, fn, userData); });
}

CONVOY_EXPORT cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn,
                                                void* userData, unsigned int syncMode) {
  return runtime_call(__func__, [&]() -> call_status {
    if (syncMode > cudaHostTaskSpinWait) return cudaErrorInvalidValue;
    return launch_host_function(stream, fn, userData);
  });
}

CONVOY_EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return runtime_call(__func__, [&] { return synchronize(stream); });
}

CONVOY_EXPORT cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return runtime_call(__func__, [&] { return query(stream); });
}

}  // extern "C"
