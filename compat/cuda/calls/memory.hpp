// Allocation, registration and attributes of device, host and managed memory.
#pragma once

#include <convoy/location.hpp>
#include <cstddef>

#include "state/allocations.hpp"
#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// An allocation of 0 bytes succeeds and sets `*out` to null.
call_status allocate_device_memory(device_id device, std::size_t bytes, void** out);
call_status allocate_host_memory(device_id current, std::size_t bytes, unsigned flags, void** out);

// An allocation of 0 bytes is refused.
call_status allocate_managed_memory(device_id current, std::size_t bytes, unsigned flags,
                                    void** out);

// Allocates rows whose pitch is aligned.
call_status allocate_pitched_memory(device_id device, std::size_t width, std::size_t rows,
                                    void** out, std::size_t* pitch);

// Null is a success. Device memory is freed after all work of its device has finished, as with
// cudaFree().
call_status free_device_memory(void* start);
call_status free_host_memory(void* start);

call_status register_host(device_id current, void* start, std::size_t bytes, unsigned flags);
call_status unregister_host(void* start);

// The flags of pinned or registered memory, and cudaHostAllocMapped, which it always has.
call_status host_flags(const void* pointer, unsigned* flags);

// The device address of pinned or registered memory, which equals its host address.
call_status device_pointer(void* pointer, void** out);

// Frees, unregisters or closes an allocation, according to its kind.
call_status destroy_allocation(const allocation& entry);

// The attributes of a pointer and the table entry of its allocation. Unknown pointers are pageable
// memory without an entry.
struct pointer_record {
  pointer_attributes attributes = {};
  allocation entry = {};
};
pointer_record find_pointer(const void* pointer);

}  // namespace convoy::cuda
