// The attributes of a device that follow its compute capability.
#pragma once

#include <optional>

#include "shared/device_identity.hpp"

namespace convoy::cuda {

// The value of such an attribute; none for another attribute.
std::optional<int> capability_attribute(const compat::two_part_version& capability, int attribute);

}  // namespace convoy::cuda
