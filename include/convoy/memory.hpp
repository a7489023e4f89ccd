// Memory that Convoy knows: get it, give it back, ask what a pointer is.
//
// Freed memory is out of reach of new calls at once and is reused only after every step that was
// in flight at the time has landed, so deallocate() never pulls bytes from under a copy and never
// waits.
#pragma once

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <cstddef>

namespace convoy {

// Memory starts at a multiple of 256 bytes. A size of 0 is refused. When the configured capacity
// is used up the answer is out_of_memory.
CONVOY_EXPORT result<void*> allocate(device_id device, std::size_t bytes);
CONVOY_EXPORT result<void*> allocate_pinned(std::size_t bytes);
CONVOY_EXPORT result<void*> allocate_managed(std::size_t bytes);

// Takes the pointer allocate gave; an interior, foreign or already freed one is refused.
CONVOY_EXPORT status deallocate(void* start);

// Makes existing host memory count as pinned, in place, until unpin(start). A range that touches a
// registered one, or Convoy's own memory, is refused.
CONVOY_EXPORT status pin(void* start, std::size_t bytes);
CONVOY_EXPORT status unpin(void* start);

// What the pointer points into; interior pointers included. An address of Convoy's that belongs to
// no live allocation is refused; anything Convoy does not know is pageable.
CONVOY_EXPORT result<pointer_attributes> locate(const void* pointer);

// Which memory the address lies in, whether or not anything lives there: the quick question, which
// costs the same whatever is allocated.
CONVOY_EXPORT result<memory_class> classify(const void* pointer);

struct memory_stats {
  std::size_t free = 0;
  std::size_t total = 0;
};

CONVOY_EXPORT result<memory_stats> memory_stats_of(device_id device);

}  // namespace convoy
