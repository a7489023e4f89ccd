// Memory pools: who allocates from where in stream order, and the books about it.
//
// Convoy's allocator serves every pool, so a pool is an account: what is in use, what counts as
// reserved, when reserved memory is given back. Reserved memory grows in steps and shrinks to the
// release threshold when somebody waits for a stream, an event or a device.
//
// Pools are never deleted, so a pointer to one stays good to look at. A caller's handle is looked
// up first; one that was destroyed or never was a pool is cudaErrorInvalidValue.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>
#include <cstdint>

#include "state/allocations.hpp"
#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// Pools that other processes could open are not supported.
call_status make_pool(const cudaMemPoolProps* props, cudaMemPool_t* out);
call_status destroy_pool(cudaMemPool_t pool);  // not a default pool

enum class pool_choice : std::uint8_t { default_pool, current_pool };

// The pool of a device, or of a location and a kind of memory.
call_status get_pool(pool_choice choice, int device, cudaMemPool_t* out);
call_status get_pool(pool_choice choice, const cudaMemLocation* location,
                     cudaMemAllocationType type, cudaMemPool_t* out);

// Makes a pool the current one there.
call_status set_pool(int device, cudaMemPool_t pool);
call_status set_pool(const cudaMemLocation* location, cudaMemAllocationType type,
                     cudaMemPool_t pool);

// Nothing at all is null. Without a pool, from the current one of the stream's device.
call_status allocate_from_pool(cudaMemPool_t pool, cudaStream_t stream, std::size_t bytes,
                               void** out);
call_status allocate_in_stream(cudaStream_t stream, std::size_t bytes, void** out);
call_status free_in_stream(cudaStream_t stream, void* start);

// Books an allocation of a pool out; its memory is freed elsewhere.
void return_to_pool(const allocation& entry);

call_status trim_pool(cudaMemPool_t pool, std::size_t min_bytes);
call_status set_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);
call_status get_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);

// Access of other devices; that of the pool's own cannot be taken away.
call_status set_access(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count);
call_status get_access(cudaMemPool_t pool, const cudaMemLocation* location,
                       cudaMemAccessFlags* flags);

// Destroys the pools that were made on the device; its default ones are current and as at first.
void reset_pools_of(device_id device);

// Called when somebody has waited: reserved memory above the thresholds goes back.
void trim_pools() noexcept;

}  // namespace convoy::cuda
