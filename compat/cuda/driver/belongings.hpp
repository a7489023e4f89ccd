// What ends with the context it was made in.
//
// Only contexts that the driver made are looked after: what is made in a primary context belongs to
// the device until that is reset.
#pragma once

#include <cstdint>

#include "state/context.hpp"

namespace convoy::cuda {

enum class belonging : std::uint8_t { stream, event, device_memory, host_memory };

void add_belonging(context& owner, belonging what, std::uint64_t handle);
void drop_belonging(std::uint64_t handle);

// Null for what was made in a primary context, or by the runtime.
context* owner_of(std::uint64_t handle);

// Destroys and frees all of it.
void give_up_belongings(context& owner);

}  // namespace convoy::cuda
