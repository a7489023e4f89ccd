// The table of allocations: what CUDA can be asked about an allocation and the engine does not
// store.
//
// Every allocation, registered range and imported range has one entry, keyed by its start address.
// The engine classifies pointers; the entry adds flags, current device, owning context and pool.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace convoy::cuda {

struct context;
class memory_pool;

enum class allocation_kind : std::uint8_t { device, pinned, managed, registered, imported };

struct allocation {
  void* start = nullptr;
  std::size_t bytes = 0;
  allocation_kind kind = allocation_kind::device;
  device_id device = {};        // current when the allocation was made
  unsigned flags = 0;           // as passed by the caller
  memory_pool* pool = nullptr;  // the pool it came from, or null
  context* owner = nullptr;     // frees it when destroyed; add() fills in a null owner
  std::uint64_t id = 0;         // unique in the process; set by add()
  bool synchronous = false;     // see set_synchronous()
};

class allocation_table {
 public:
  void add(allocation made);

  // Returns the entry of the allocation that starts at `start`.
  [[nodiscard]] std::optional<allocation> find(const void* start);

  // Removes and returns the entry. Call it before the memory is freed: afterwards another thread
  // may have allocated the same address and added its entry.
  std::optional<allocation> remove(const void* start);

  // The same, if `wanted` is true for the entry.
  template <class Wanted>
  std::optional<allocation> remove_if(const void* start, const Wanted& wanted);

  // Adds a removed entry again, because its memory could not be freed.
  void restore(const allocation& removed);

  // Returns the allocations that are freed when `owner` is destroyed.
  [[nodiscard]] std::vector<allocation> owned_by(const context& owner);

  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: sync calls on the allocation return after the copy has
  // landed. Returns false if there is no entry.
  bool set_synchronous(const void* start, bool wanted);
  [[nodiscard]] bool is_synchronous(const void* start);

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, allocation> entries_;
  std::uint64_t last_id_ = 0;
  // Set by the first set_synchronous(true). While false, is_synchronous() takes no lock.
  std::atomic<bool> any_synchronous_ = false;
};

template <class Wanted>
std::optional<allocation> allocation_table::remove_if(const void* start, const Wanted& wanted) {
  const std::lock_guard held(mutex_);
  const auto found = entries_.find(start);
  if (found == entries_.end() || !wanted(found->second)) return {};
  return entries_.extract(found).mapped();
}

// Never destroyed: programs free memory in static destructors.
allocation_table& allocations();

}  // namespace convoy::cuda
