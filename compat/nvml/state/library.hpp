// The state of the library: how often it was initialised, and the handles of devices.
//
// Nothing here takes a lock, starts the engine or is lost in a forked child: programs ask NVML
// which devices there are, fork, and use the devices in the child.
#pragma once

#include <nvml.h>

#include <convoy/device.hpp>
#include <convoy/ids.hpp>
#include <optional>

namespace convoy::nvml {

// Counts initialisations. end_use() answers false when there is none to end.
void begin_use() noexcept;
bool end_use() noexcept;
bool in_use() noexcept;

// A handle is an address inside the library, which no other object has.
nvmlDevice_t handle_of(device_id device) noexcept;

// None unless the handle is that of one of `count` devices. Any value may be passed.
std::optional<device_id> device_of(nvmlDevice_t handle, std::size_t count) noexcept;

// NVML's code for a status of the engine.
nvmlReturn_t return_code_of(const status& outcome) noexcept;

// The status for observers of a refused call; OK where the code is no refusal.
status refusal_of(nvmlReturn_t code) noexcept;

}  // namespace convoy::nvml
