// Sharing of device memory and events between processes through IPC handles.
#pragma once

#include <convoy/ids.hpp>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// For memory made with cudaMalloc(). The handle stands for the whole allocation, also if the
// pointer points inside: opening it returns the start.
call_status get_memory_handle(void* pointer, cudaIpcMemHandle_t* handle);

// Opening a handle again returns the same pointer; it must be closed as often as it was opened. The
// process that exported the memory cannot open the handle.
call_status open_memory_handle(const cudaIpcMemHandle_t& handle, unsigned flags, void** out);
call_status close_memory_handle(void* start);

// For events made with cudaEventInterprocess.
call_status get_event_handle(cudaEvent_t event, cudaIpcEventHandle_t* handle);
call_status open_event_handle(device_id device, const cudaIpcEventHandle_t& handle,
                              cudaEvent_t* out);

}  // namespace convoy::cuda
