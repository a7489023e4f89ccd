// The devices that ASCEND_RT_VISIBLE_DEVICES leaves to the program.
//
// The variable lists logical ids, separated by commas. The program numbers the listed devices from
// 0 in the order of the list. Any other character, an id without a device and a repeated id end the
// list. Without the variable the program sees every device.
#pragma once

#include <convoy/status.hpp>

#include "shared/device_list.hpp"

namespace convoy::ascendcl {

class visible_devices : public compat::device_list {
 public:
  // Reads the environment and the number of devices.
  visible_devices();

  // An error when Convoy cannot start.
  [[nodiscard]] const status& error() const noexcept { return error_; }

 private:
  status error_;
};

// Read at the first call.
const visible_devices& program_devices();

}  // namespace convoy::ascendcl
