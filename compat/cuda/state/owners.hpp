// The context that owns each stream and event, and is destroyed with them.
//
// Default streams belong to the device and have no owner. The owners of memory are in the
// allocation table.
#pragma once

#include <cstdint>
#include <vector>

namespace convoy::cuda {

struct context;

enum class handle_kind : std::uint8_t { stream, event };

struct owned_handle {
  handle_kind kind = {};
  std::uint64_t handle = 0;
};

void add_owned(context* owner, const owned_handle& made);
void drop_owned(std::uint64_t handle);

// Returns null if the handle has no owner.
context* owner_of(std::uint64_t handle);

// Removes and returns all handles of an owner.
std::vector<owned_handle> take_owned(const context& owner);

}  // namespace convoy::cuda
