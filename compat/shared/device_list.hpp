// The devices that a program sees, in the order in which it numbers them.
#pragma once

#include <algorithm>
#include <convoy/ids.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace convoy::compat {

class device_list {
 public:
  static constexpr device_id no_device{-1};

  device_list() = default;
  explicit device_list(std::vector<device_id> devices) : devices_(std::move(devices)) {}

  // Every device of the engine, in its order.
  static device_list of_all(int count) {
    std::vector<device_id> all;
    for (int i = 0; i != count; ++i) all.push_back(device_id{i});
    return device_list(std::move(all));
  }

  [[nodiscard]] int count() const noexcept { return static_cast<int>(devices_.size()); }
  [[nodiscard]] bool contains(std::int64_t number) const noexcept {
    return number >= 0 && number < count();
  }

  // The device with a number of the program, or no_device.
  [[nodiscard]] device_id at(std::int64_t number) const noexcept {
    return contains(number) ? devices_[static_cast<std::size_t>(number)] : no_device;
  }

  // The program's number of a device; -1 when the program does not see it.
  [[nodiscard]] std::int32_t number_of(device_id device) const noexcept {
    const auto found = std::ranges::find(devices_, device);
    return found == devices_.end() ? -1 : static_cast<std::int32_t>(found - devices_.begin());
  }

 private:
  std::vector<device_id> devices_;
};

}  // namespace convoy::compat
