// What the CUDA interfaces know of an allocation beyond what Convoy knows.
//
// Every allocation made here, and every registered range, has a note under its start. Convoy
// decides what a pointer is; the notes add with which flags, for which device and from which pool.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace convoy::cuda {

struct context;
class memory_pool;

enum class allocation_kind : std::uint8_t { device, pinned, managed, registered, imported };

struct allocation {
  void* start = nullptr;
  std::size_t bytes = 0;
  allocation_kind kind = allocation_kind::device;
  device_id device = {};        // that was current when it was made
  unsigned flags = 0;           // as the caller gave them
  memory_pool* pool = nullptr;  // that it came from, or null
  context* owner = nullptr;     // that it ends with; note() sets it where the caller did not
  std::uint64_t id = 0;         // set by note(); no two allocations have the same
  bool synchronous = false;     // see set_synchronous()
};

void note(allocation made);

// The note of the allocation that starts there.
std::optional<allocation> note_of(const void* start);

// The program's wish that calls without a stream which touch the allocation have landed on return.
// False when there is no note.
bool set_synchronous(const void* start, bool wanted);
bool is_synchronous(const void* start);

// Takes the note away; none when there was none.
std::optional<allocation> forget(const void* start);

// Everything that ends with a context.
std::vector<allocation> notes_of(const context& owner);

}  // namespace convoy::cuda
