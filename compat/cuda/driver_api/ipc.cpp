// IPC handles of device memory and events.
#include "calls/ipc.hpp"

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
  return driver_call(__func__,
                     [&] { return get_memory_handle(pointer(dptr), as_runtime(pHandle)); });
}

CONVOY_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle,
                                             unsigned int Flags) {
  return in_context(__func__, [&](device_id) {
    return open_memory_handle(*as_runtime(&handle), Flags, as_runtime(pdptr));
  });
}

CONVOY_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  return driver_call(__func__, [&] { return close_memory_handle(pointer(dptr)); });
}

CONVOY_EXPORT CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
  return driver_call(__func__, [&] { return get_event_handle(event, as_runtime(pHandle)); });
}

CONVOY_EXPORT CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  return in_context(__func__, [&](device_id current) {
    return open_event_handle(current, *as_runtime(&handle), phEvent);
  });
}

}  // extern "C"
