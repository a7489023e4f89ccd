// Devices as AscendCL counts them.
#pragma once

#include <convoy/ids.hpp>
#include <cstdint>

#include "outcome.hpp"

namespace convoy::ascendcl {

// 107001 unless there is such a device.
found<device_id> find_device(std::int64_t number);

outcome primary_state(std::int32_t device, std::uint32_t* flags, std::int32_t* active);

}  // namespace convoy::ascendcl
