// Memory pools and stream-ordered allocation.
//
// The engine's allocator serves every pool; a pool only counts (see state/memory_pool.hpp).
// Reserved memory grows in large steps and shrinks to the release threshold when a call
// synchronizes with a stream, an event or a device.
//
// Pool objects are never deleted, so a pointer to one stays readable. The functions return
// cudaErrorInvalidValue for a handle that was destroyed or never was a pool.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/location.hpp>
#include <cstddef>
#include <cstdint>

#include "state/allocations.hpp"
#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// Pools with shareable handles are not supported.
call_status make_pool(const cudaMemPoolProps* props, cudaMemPool_t* out);
call_status destroy_pool(cudaMemPool_t pool);  // refuses default pools

enum class pool_choice : std::uint8_t { default_pool, current_pool };

// Returns the default or current pool of a device, or of a location and type of memory.
call_status get_pool(pool_choice choice, int device, cudaMemPool_t* out);
call_status get_pool(pool_choice choice, const cudaMemLocation* location,
                     cudaMemAllocationType type, cudaMemPool_t* out);

// Sets the current pool of a device, or of a location and type of memory.
call_status set_pool(int device, cudaMemPool_t pool);
call_status set_pool(const cudaMemLocation* location, cudaMemAllocationType type,
                     cudaMemPool_t pool);

// An allocation of 0 bytes succeeds and sets `*out` to null. allocate_in_stream() uses the current
// pool of the stream's device.
call_status allocate_from_pool(cudaMemPool_t pool, cudaStream_t stream, std::size_t bytes,
                               void** out);
call_status allocate_in_stream(cudaStream_t stream, std::size_t bytes, void** out);
call_status free_in_stream(cudaStream_t stream, void* start);

// Subtracts an allocation from its pool. The caller frees the memory.
void return_to_pool(const allocation& entry);

call_status trim_pool(cudaMemPool_t pool, std::size_t min_bytes);
call_status set_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value);
call_status get_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);

// Access from other devices. The pool's own device always has access.
call_status set_access(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count);
call_status get_access(cudaMemPool_t pool, const cudaMemLocation* location,
                       cudaMemAccessFlags* flags);

// Exporting is refused: no pool has a handle type.
call_status export_pool(cudaMemPool_t pool, const void* into, unsigned handle_type, unsigned flags);

// Refuses memory of another device's pool, unless the pool gives device `from` access. Call it only
// if has_pool_memory(), so that programs without pools pay nothing.
bool has_pool_memory() noexcept;
call_status check_pool_access(device_id from, const pointer_attributes& memory);

// Destroys the pools created on a device, and resets its default pools and makes them current.
void reset_pools_of(device_id device);

// Releases reserved memory above the release thresholds. Called after every synchronization.
void trim_pools() noexcept;

}  // namespace convoy::cuda
