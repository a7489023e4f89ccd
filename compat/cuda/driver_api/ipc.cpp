// Device memory and events of other processes.
#include "calls/ipc.hpp"

#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
  return border(__func__, [&] { return share_memory(pointer(dptr), twin(pHandle)); });
}

CONVOY_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle,
                                             unsigned int Flags) {
  return in_context(__func__,
                    [&](device_id) { return open_memory(*twin(&handle), Flags, twin(pdptr)); });
}

CONVOY_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  return border(__func__, [&] { return close_memory(pointer(dptr)); });
}

CONVOY_EXPORT CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
  return border(__func__, [&] { return share_event(event, twin(pHandle)); });
}

CONVOY_EXPORT CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  return in_context(__func__,
                    [&](device_id on) { return open_event(on, *twin(&handle), phEvent); });
}

}  // extern "C"
