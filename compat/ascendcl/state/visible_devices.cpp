#include "state/visible_devices.hpp"

#include <algorithm>
#include <charconv>
#include <convoy/device.hpp>
#include <cstdlib>
#include <string_view>

#include "shared/process_lifetime.hpp"

namespace convoy::ascendcl {
namespace {

std::vector<device_id> all_devices(std::int32_t count) {
  std::vector<device_id> all;
  for (std::int32_t i = 0; i != count; ++i) all.push_back(device_id{i});
  return all;
}

// The devices of a list, up to the first text that is not the id of another device.
std::vector<device_id> listed_devices(std::string_view list, std::int32_t count) {
  std::vector<device_id> listed;
  const char* const end = list.data() + list.size();
  for (const char* next = list.data();; ++next) {
    std::uint32_t id = 0;
    const auto [stop, error] = std::from_chars(next, end, id);
    if (error != std::errc{} || id >= static_cast<std::uint32_t>(count)) return listed;
    const device_id device{static_cast<std::int32_t>(id)};
    if (std::ranges::find(listed, device) != listed.end()) return listed;
    listed.push_back(device);
    if (stop == end || *stop != ',') return listed;
    next = stop;
  }
}

}  // namespace

visible_devices::visible_devices() {
  const auto count = device_count();
  if (!count) {
    error_ = count.error();
    return;
  }
  const char* const list = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
  by_number_ = list == nullptr ? all_devices(*count) : listed_devices(list, *count);
}

std::int32_t visible_devices::number_of(device_id device) const noexcept {
  const auto found = std::ranges::find(by_number_, device);
  return found == by_number_.end() ? -1 : static_cast<std::int32_t>(found - by_number_.begin());
}

const visible_devices& program_devices() { return compat::process_object<visible_devices>(); }

}  // namespace convoy::ascendcl
