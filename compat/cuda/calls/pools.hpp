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
#include "state/outcome.hpp"
#include "types/memory.h"

namespace convoy::cuda {

class memory_pool;

// The pool a caller names, unless it was destroyed or never was one.
memory_pool* known_pool(const void* handle);

// Pools that other processes could open are not supported.
outcome make_pool(const cudaMemPoolProps& how, memory_pool** made);
outcome destroy_pool(memory_pool* pool);  // not a default pool

// By place and kind of memory; null where there is none.
memory_pool* default_pool(const cudaMemLocation& place, cudaMemAllocationType type);
memory_pool* current_pool(const cudaMemLocation& place, cudaMemAllocationType type);
outcome choose_pool(const cudaMemLocation& place, cudaMemAllocationType type, memory_pool* pool);

// Nothing at all is refused from a pool, and null in stream order.
outcome allocate_from(memory_pool* pool, stream_ref stream, std::size_t bytes, void** got);
outcome allocate_in(stream_ref stream, std::size_t bytes,
                    void** got);  // current pool of its device
outcome free_in(stream_ref stream, void* start);

// Books an allocation of a pool out; its memory is freed elsewhere.
void leave_pool(const allocation& gone);

outcome trim_pool(memory_pool* pool, std::size_t keep);
outcome set_attribute(memory_pool* pool, cudaMemPoolAttr which, const void* value);
outcome get_attribute(memory_pool* pool, cudaMemPoolAttr which, void* value);

// Access of other devices; that of the pool's own cannot be taken away.
outcome set_access(memory_pool* pool, const cudaMemAccessDesc* list, std::size_t count);
outcome get_access(memory_pool* pool, const cudaMemLocation& place, cudaMemAccessFlags* flags);

// Destroys the pools that were made on the device; its default ones are current and as at first.
void reset_pools_of(device_id device);

// Called when somebody has waited: reserved memory above the thresholds goes back.
void release_idle_memory() noexcept;

}  // namespace convoy::cuda
