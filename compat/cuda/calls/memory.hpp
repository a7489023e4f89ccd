// Memory of devices and of the host: get it, give it back, ask about it.
#pragma once

#include <convoy/location.hpp>
#include <cstddef>

#include "state/allocations.hpp"
#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// Of nothing is a success, and null.
call_status allocate_device_memory(device_id device, std::size_t bytes, void** out);
call_status allocate_host_memory(device_id current, std::size_t bytes, unsigned flags, void** out);

// Of nothing is refused.
call_status allocate_managed_memory(device_id current, std::size_t bytes, unsigned flags,
                                    void** out);

// Rows whose distance is a good multiple.
call_status allocate_pitched_memory(device_id device, std::size_t width, std::size_t rows,
                                    void** out, std::size_t* pitch);

// Null is a success. Waits for the work of the memory's device, as programs have come to expect.
call_status free_device_memory(void* start);
call_status free_host_memory(void* start);

call_status register_host(device_id current, void* start, std::size_t bytes, unsigned flags);
call_status unregister_host(void* start);

// The flags that pinned or registered memory was made with, and the one it always has.
call_status host_flags(const void* pointer, unsigned* flags);

// Where pinned or registered memory is for devices, which is where it is for the host.
call_status device_pointer(void* pointer, void** out);

// Gives back what is noted, however it was got.
call_status destroy_allocation(const allocation& entry);

// What the pointer points into, with the note of its allocation. A pointer into nothing is that of
// pageable memory.
struct pointer_record {
  pointer_attributes attributes = {};
  allocation entry = {};
};
pointer_record find_pointer(const void* pointer);

}  // namespace convoy::cuda
