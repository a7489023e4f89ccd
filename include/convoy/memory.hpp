// Memory: allocate and free it, register the program's own, ask what a pointer is.
//
// deallocate() never waits and never breaks a copy in flight: new calls are refused the memory at
// once, steps submitted before still use it, and it is reused only after they have landed.
//
// Device memory is for steps. Host code can read and write it too, unless CONVOY_ISOLATE=1: then
// such an access ends the program with a report, as it would on real hardware.
#pragma once

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <cstddef>

namespace convoy {

// Memory of a device, starting at a multiple of 256 bytes. Returns at once, unless only freed
// memory that steps still use is left: then waits up to about two seconds for them to land.
// Answers zero_size, invalid_device, or out_of_memory when CONVOY_DEVICE_MEMORY is used up.
CONVOY_EXPORT result<void*> allocate(device_id device, std::size_t bytes);

// The same for pinned host memory, whose pages are populated before the call returns (Linux 5.14 or
// later). The capacity is the size of the machine's memory. Answers zero_size, or out_of_memory,
// also for more than 64 MiB that exceed what the machine has available at the time.
CONVOY_EXPORT result<void*> allocate_pinned(std::size_t bytes);

// The same for managed memory, which host code and steps of every device can use.
CONVOY_EXPORT result<void*> allocate_managed(std::size_t bytes);

// Frees what one of the three functions above returned. Does not wait. Answers null_pointer, or
// not_an_allocation for any other pointer: interior, already freed, imported, or not Convoy's.
CONVOY_EXPORT status deallocate(void* start);

// Registers existing host memory: it counts as pinned, in place, until unpin(start). The program
// must not free it before. Returns at once. Answers null_pointer, zero_size, invalid_argument for a
// range past the end of the address space, or already_registered for a range that overlaps a
// registered one or memory that Convoy owns, and not_an_allocation with the first address whose
// page is not mapped, or is read-only and not pinned as such.
enum class pin_access : std::uint8_t { read_write, read_only };
CONVOY_EXPORT status pin(void* start, std::size_t bytes,
                         pin_access access = pin_access::read_write);

// Ends the registration of the range that starts there; does not wait for steps that use it.
// Answers not_registered if no range starts there.
CONVOY_EXPORT status unpin(void* start);

// What the pointer points into; it may point inside an allocation. Memory that Convoy does not know
// is pageable. Answers not_an_allocation for an address of Convoy's that no live allocation
// contains: past the end of one, or freed.
CONVOY_EXPORT result<pointer_attributes> locate(const void* pointer);

// The kind of memory by address range alone, also where nothing is allocated. Cheaper than
// locate(), and not_an_allocation is never the answer.
CONVOY_EXPORT result<memory_class> classify(const void* pointer);

// The address at which a function that call() runs can access the byte: with CONVOY_ISOLATE=1 that
// of the engine's mapping for an address of device memory, also where nothing is allocated; the
// pointer itself in all other cases, null included. Returns at once; such a function may call it.
CONVOY_EXPORT result<void*> engine_address(const void* pointer);

// Bytes of device memory.
struct memory_stats {
  std::size_t free = 0;   // freed memory that steps still use is not free
  std::size_t total = 0;  // the capacity: CONVOY_DEVICE_MEMORY or its default
};

// How much memory of the device is free. Returns at once. Answers invalid_device.
CONVOY_EXPORT result<memory_stats> memory_stats_of(device_id device);

}  // namespace convoy
