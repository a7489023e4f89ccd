// Memory of devices and of the host: get it, give it back, ask about it.
#pragma once

#include <convoy/location.hpp>
#include <cstddef>

#include "state/allocations.hpp"
#include "state/outcome.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// Of nothing is a success, and null.
outcome allocate_on(device_id device, std::size_t bytes, void** got);
outcome allocate_host(device_id current, std::size_t bytes, unsigned flags, void** got);

// Of nothing is refused.
outcome allocate_shared(device_id current, std::size_t bytes, unsigned flags, void** got);

// Rows whose distance is a good multiple.
outcome allocate_rows(device_id device, std::size_t width, std::size_t rows, void** got,
                      std::size_t* pitch);

// Null is a success. Waits for the work of the memory's device, as programs have come to expect.
outcome free_on_device(void* start);
outcome free_on_host(void* start);

outcome register_host(device_id current, void* start, std::size_t bytes, unsigned flags);
outcome unregister_host(void* start);

// The flags that pinned or registered memory was made with, and the one it always has.
outcome host_flags(const void* pointer, unsigned* flags);

// Where pinned or registered memory is for devices, which is where it is for the host.
outcome device_view(void* pointer, void** got);

// Gives back what is noted, however it was got.
outcome end_allocation(const allocation& known);

// What the pointer points into, with the note of its allocation. A pointer into nothing is that of
// pageable memory.
struct finding {
  pointer_attributes where = {};
  allocation known = {};
};
finding find(const void* pointer);

}  // namespace convoy::cuda
