// Properties, attributes, names and limits of devices.
//
// Values that do not matter for copies are those of a common GPU, so that programs that check them
// at startup run.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "state/call_status.hpp"
#include "state/context.hpp"
#include "types/device.h"

namespace convoy::cuda {

// The version of CUDA that runtime and driver report, such as 13020. Fails with a wrong
// configuration.
result<int> driver_version();
call_status write_version(int* into) noexcept;

// Finds the device with this ordinal, or returns cudaErrorInvalidDevice.
call_status find_device(int ordinal, device_id* found);

template <class Body>
call_status with_device(int ordinal, const Body& body) {
  device_id found{};
  if (const call_status s = find_device(ordinal, &found); !s.ok()) return s;
  return body(found);
}

call_status describe(device_id device, cudaDeviceProp* into);
call_status attribute_of(device_id device, int attribute, int* value);

std::string name_of(device_id device);

// Copies as much of a text as fits, null-terminated.
call_status write_text(const std::string& text, char* buffer, int size);

// "domain:bus:device.function" in hexadecimal; domain and function are optional when parsed. Only
// visible devices are found. A buffer that is too short gets the beginning, and is refused.
call_status write_pci_name(device_id device, char* buffer, int size);
std::optional<device_id> device_with_pci_name(const char* name);

// Whether one device can access the memory of another, by their ordinals.
call_status can_access(int ordinal, int peer_ordinal, int* answer);
call_status peer_attribute(int attribute, device_id from, device_id to, int* value);

// Limits for kernels. Those of stack, printf FIFO and heap are stored in the context; none has an
// effect.
call_status limit_of(const context& owner, int limit, std::size_t* value);
call_status set_limit(context& owner, int limit, std::size_t value);

// Preferences for kernels, which have no effect: cudaErrorInvalidValue unless CUDA has the value.
call_status check_cache_config(int config);
call_status check_shared_memory_config(int config);

}  // namespace convoy::cuda
