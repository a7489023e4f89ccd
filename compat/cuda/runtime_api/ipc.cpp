// IPC handles of device memory and events.
#include "calls/ipc.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
  return runtime_call(__func__, [&] { return get_memory_handle(devPtr, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle,
                                               unsigned int flags) {
  return on_current_device(__func__,
                           [&](device_id) { return open_memory_handle(handle, flags, devPtr); });
}

CONVOY_EXPORT cudaError_t cudaIpcCloseMemHandle(void* devPtr) {
  return runtime_call(__func__, [&] { return close_memory_handle(devPtr); });
}

CONVOY_EXPORT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return runtime_call(__func__, [&] { return get_event_handle(event, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return on_current_device(
      __func__, [&](device_id device) { return open_event_handle(device, handle, event); });
}

}  // extern "C"
