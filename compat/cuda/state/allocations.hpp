// What the CUDA interfaces know of an allocation beyond what Convoy knows.
//
// Every allocation made here, and every registered range, has an entry under its start. Convoy
// decides what a pointer is; the entry adds with which flags, for which device and from which pool.
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
  device_id device = {};        // that was current when it was made
  unsigned flags = 0;           // as the caller gave them
  memory_pool* pool = nullptr;  // that it came from, or null
  context* owner = nullptr;     // that it ends with; add() sets it where the caller did not
  std::uint64_t id = 0;         // set by add(); no two allocations have the same
  bool synchronous = false;     // see set_synchronous()
};

class allocation_table {
 public:
  void add(allocation made);

  // The entry of the allocation that starts there.
  [[nodiscard]] std::optional<allocation> find(const void* start);

  // Removes the entry; none when there was none.
  std::optional<allocation> remove(const void* start);

  // Everything that ends with a context.
  [[nodiscard]] std::vector<allocation> owned_by(const context& owner);

  // The program's wish that calls without a stream which touch the allocation have landed on
  // return. False when there is no entry.
  bool set_synchronous(const void* start, bool wanted);
  [[nodiscard]] bool is_synchronous(const void* start);

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, allocation> entries_;
  std::uint64_t last_id_ = 0;
  // Set with the first wish, so that programs without one need not be looked up.
  std::atomic<bool> any_synchronous_ = false;
};

// Kept to the end: programs free from their last destructors.
allocation_table& allocations();

}  // namespace convoy::cuda
