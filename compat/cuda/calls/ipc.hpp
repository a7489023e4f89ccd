// Device memory and events of other processes, by handles that are plain bytes.
#pragma once

#include <convoy/ids.hpp>

#include "state/handles.hpp"
#include "state/outcome.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// For memory that cudaMalloc gave, by its start.
outcome share_memory(void* start, cudaIpcMemHandle_t* handle);

// Opening a handle again answers the same pointer, to be closed as often. The process that made
// the handle cannot open it.
outcome open_memory(const cudaIpcMemHandle_t& handle, unsigned flags, void** got);
outcome close_memory(void* start);

// For events made to be shared.
outcome share_event(cudaEvent_t event, cudaIpcEventHandle_t* handle);
outcome open_event(device_id device, const cudaIpcEventHandle_t& handle, cudaEvent_t* got);

}  // namespace convoy::cuda
