// Device memory and events of other processes.
#include "calls/ipc.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/border.hpp"
#include "state/context.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
  return border(__func__, [&] { return share_memory(devPtr, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle,
                                               unsigned int flags) {
  return border(__func__, [&]() -> outcome {
    if (const auto on = enter_runtime_device(); !on) return on;
    return open_memory(handle, flags, devPtr);
  });
}

CONVOY_EXPORT cudaError_t cudaIpcCloseMemHandle(void* devPtr) {
  return border(__func__, [&] { return close_memory(devPtr); });
}

CONVOY_EXPORT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return border(__func__, [&] { return share_event(event, handle); });
}

CONVOY_EXPORT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return border(__func__, [&]() -> outcome {
    const auto on = enter_runtime_device();
    if (!on) return on;
    return open_event(*on, handle, event);
  });
}

}  // extern "C"
