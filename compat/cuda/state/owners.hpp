// Streams and events, and the context that each was made in and ends with.
//
// Default streams are the device's own and in no list here. Memory names its owner in the
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

// Null for what is in no list.
context* owner_of(std::uint64_t handle);

// Everything of the owner's, which from then on is nobody's.
std::vector<owned_handle> take_owned(const context& owner);

}  // namespace convoy::cuda
