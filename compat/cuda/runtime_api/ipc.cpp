// Device memory and events of other processes.
#include "calls/ipc.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"
#include "state/context.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
  return runtime_call(__func__, [&] { return get_memory_handle(devPtr, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle,
                                               unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (const auto device = enter_runtime_device(); !device) return device;
    return open_memory_handle(handle, flags, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaIpcCloseMemHandle(void* devPtr) {
  return runtime_call(__func__, [&] { return close_memory_handle(devPtr); });
}

CONVOY_EXPORT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return runtime_call(__func__, [&] { return get_event_handle(event, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return runtime_call(__func__, [&]() -> call_status {
    const auto device = enter_runtime_device();
    if (!device) return device;
    return open_event_handle(*device, handle, event);
  });
}

}  // extern "C"
