// The devices that ASCEND_RT_VISIBLE_DEVICES leaves to the program.
//
// The variable lists logical ids, separated by commas. The program numbers the listed devices from
// 0 in the order of the list. Any other character, an id without a device and a repeated id end the
// list. Without the variable the program sees every device.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <vector>

namespace convoy::ascendcl {

class visible_devices {
 public:
  // Reads the environment and the number of devices.
  visible_devices();

  // An error when Convoy cannot start.
  [[nodiscard]] const status& error() const noexcept { return error_; }

  [[nodiscard]] std::int64_t count() const noexcept {
    return static_cast<std::int64_t>(by_number_.size());
  }
  [[nodiscard]] bool contains(std::int64_t number) const noexcept {
    return number >= 0 && number < count();
  }

  // The device with a number of the program; no device when the number is not visible.
  [[nodiscard]] device_id at(std::int64_t number) const noexcept {
    return contains(number) ? by_number_[static_cast<std::size_t>(number)] : no_device;
  }
  // The program's number of a device, -1 when the device is not visible.
  [[nodiscard]] std::int32_t number_of(device_id device) const noexcept;

  static constexpr device_id no_device{-1};

 private:
  status error_;
  std::vector<device_id> by_number_;
};

// Read at the first call.
const visible_devices& program_devices();

}  // namespace convoy::ascendcl
