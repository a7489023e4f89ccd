// Memory pools: who allocates from where in stream order, and the books about it.
//
// Convoy's allocator serves every pool, so a pool is an account: what is in use, what counts as
// reserved, when reserved memory is given back. Reserved memory grows in steps and shrinks to the
// release threshold when somebody waits for a stream, an event or a device.
//
// Pools are never deleted, so a pointer to one stays good to look at; a caller's pointer is looked
// up with known_pool() first.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/stream.hpp>
#include <cstddef>
#include <cstdint>

#include "state/allocations.hpp"
#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

class memory_pool;

// The pool a caller names, unless it was destroyed or never was one.
memory_pool* known_pool(const void* handle);

// Pools that other processes could open are not supported.
call_status make_pool(const cudaMemPoolProps& props, memory_pool** made);
call_status destroy_pool(memory_pool* pool);  // not a default pool

// By place and kind of memory; null where there is none.
memory_pool* default_pool(const cudaMemLocation& location, cudaMemAllocationType type);
memory_pool* current_pool(const cudaMemLocation& location, cudaMemAllocationType type);
call_status set_current_pool(const cudaMemLocation& location, cudaMemAllocationType type,
                             memory_pool* pool);

// Nothing at all is refused from a pool, and null in stream order.
call_status allocate_from_pool(memory_pool* pool, stream_ref stream, std::size_t bytes, void** out);
call_status allocate_in_stream(stream_ref stream, std::size_t bytes,
                               void** out);  // current pool of its device
call_status free_in_stream(stream_ref stream, void* start);

// Books an allocation of a pool out; its memory is freed elsewhere.
void return_to_pool(const allocation& entry);

call_status trim_pool(memory_pool* pool, std::size_t min_bytes);
call_status set_attribute(memory_pool* pool, cudaMemPoolAttr attribute, const void* value);
call_status get_attribute(memory_pool* pool, cudaMemPoolAttr attribute, void* value);

// Access of other devices; that of the pool's own cannot be taken away.
call_status set_access(memory_pool* pool, const cudaMemAccessDesc* list, std::size_t count);
call_status get_access(memory_pool* pool, const cudaMemLocation& location,
                       cudaMemAccessFlags* flags);

// Destroys the pools that were made on the device; its default ones are current and as at first.
void reset_pools_of(device_id device);

// Called when somebody has waited: reserved memory above the thresholds goes back.
void trim_pools() noexcept;

}  // namespace convoy::cuda
