#include "state/visible_devices.hpp"

#include <algorithm>
#include <charconv>
#include <convoy/device.hpp>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "shared/process_lifetime.hpp"

namespace convoy::ascendcl {
namespace {

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
  static_cast<device_list&>(*this) =
      list == nullptr ? of_all(*count) : device_list(listed_devices(list, *count));
}

const visible_devices& program_devices() { return compat::process_object<visible_devices>(); }

}  // namespace convoy::ascendcl
