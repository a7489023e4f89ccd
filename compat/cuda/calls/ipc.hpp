// Device memory and events of other processes, by handles that are plain bytes.
#pragma once

#include <convoy/ids.hpp>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// For memory that cudaMalloc gave, by its start.
call_status get_memory_handle(void* start, cudaIpcMemHandle_t* handle);

// Opening a handle again answers the same pointer, to be closed as often. The process that made
// the handle cannot open it.
call_status open_memory_handle(const cudaIpcMemHandle_t& handle, unsigned flags, void** out);
call_status close_memory_handle(void* start);

// For events made to be shared.
call_status get_event_handle(cudaEvent_t event, cudaIpcEventHandle_t* handle);
call_status open_event_handle(device_id device, const cudaIpcEventHandle_t& handle,
                              cudaEvent_t* out);

}  // namespace convoy::cuda
