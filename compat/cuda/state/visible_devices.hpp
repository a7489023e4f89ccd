// The devices that a CUDA program sees.
//
// CUDA_VISIBLE_DEVICES lists device numbers or UUIDs. The position of a device in the list is its
// number in CUDA, its ordinal. Without the variable every device is visible, in the engine's order.
// The variable is read once; the native API and other front ends ignore it.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "types/device.h"

namespace convoy::cuda {

// The devices that a value of CUDA_VISIBLE_DEVICES shows, of `count` devices. The first invalid
// entry ends the list; a device that is listed twice makes the list empty.
std::vector<device_id> parse_visible_devices(std::string_view list, int count);

// How many devices are visible, or why the engine has none.
result<int> visible_device_count();

// None if no visible device has this ordinal.
std::optional<device_id> device_at(int ordinal);

// cudaInvalidDeviceId if the device is not visible.
int ordinal_of(device_id device);

// The UUID of a device. Its first byte differs between devices, so that two digits identify one.
cudaUUID_t uuid_of(device_id device);

}  // namespace convoy::cuda
