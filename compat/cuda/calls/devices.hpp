// Properties, attributes, names and limits of devices.
//
// Values that do not matter for copies are those of a common GPU, so that programs that check them
// at startup run.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "state/call_status.hpp"
#include "types/device.h"

namespace convoy::cuda {

inline constexpr int driver_version = 13000;

// Finds the device with this number, or returns cudaErrorInvalidDevice.
call_status find_device(int number, device_id* found);

template <class Body>
call_status with_device(int number, const Body& body) {
  device_id found{};
  if (const call_status s = find_device(number, &found); !s.ok()) return s;
  return body(found);
}

call_status describe(device_id device, cudaDeviceProp* into);
call_status attribute_of(device_id device, int attribute, int* value);

std::string name_of(device_id device);
cudaUUID_t uuid_of(device_id device);

// "domain:bus:device.function" in hexadecimal; domain and function are optional when parsed.
std::string pci_name_of(device_id device);
std::optional<device_id> device_with_pci_name(const char* name);

call_status peer_attribute(int attribute, device_id from, device_id to, int* value);

// Limits for kernels. They can be read and set; setting one has no effect.
call_status limit_of(int limit, std::size_t* value);
call_status set_limit(int limit, std::size_t value);

}  // namespace convoy::cuda
