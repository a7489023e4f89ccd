#include "state/visible_devices.hpp"

#include <algorithm>
#include <charconv>
#include <convoy/device.hpp>
#include <cstdlib>

#include "shared/device_identity.hpp"
#include "shared/device_list.hpp"
#include "shared/process_lifetime.hpp"
#include "types/handles.h"

namespace convoy::cuda {
namespace {

constexpr std::string_view uuid_prefix = "GPU-";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The device whose UUID starts with the entry; none if that is true for several devices.
std::optional<device_id> find_by_uuid(std::string_view entry, int count) {
  std::optional<device_id> found;
  for (int i = 0; i != count; ++i) {
    if (!compat::device_uuid_text(device_id{i}).starts_with(entry)) continue;
    if (found) return {};
    found = device_id{i};
  }
  return found;
}

// Reads digits up to the first other character, as CUDA does: "1gpu" is device 1.
std::optional<device_id> find_by_number(std::string_view entry, int count) {
  if (entry.starts_with('+')) entry.remove_prefix(1);
  int number = -1;
  const auto read = std::from_chars(entry.data(), entry.data() + entry.size(), number);
  if (read.ec != std::errc{} || number < 0 || number >= count) return {};
  return device_id{number};
}

std::optional<device_id> find_entry(std::string_view entry, int count) {
  return entry.starts_with(uuid_prefix) ? find_by_uuid(entry, count) : find_by_number(entry, count);
}

// The list that the environment chooses. The engine has started, so the count is known.
struct visible_devices : compat::device_list {
  visible_devices() {
    const int count = *device_count();
    const char* const value = std::getenv("CUDA_VISIBLE_DEVICES");
    static_cast<device_list&>(*this) =
        value == nullptr ? of_all(count) : device_list(parse_visible_devices(value, count));
  }
};

// An error when the engine cannot be used, also in a forked child.
result<const compat::device_list*> find_list() {
  if (const auto count = device_count(); !count) return count.error();
  return &compat::process_object<visible_devices>();
}

}  // namespace

std::vector<device_id> parse_visible_devices(std::string_view list, int count) {
  std::vector<device_id> shown;
  for (bool last = false; !last;) {
    const auto comma = list.find(',');
    const auto device = find_entry(trimmed(list.substr(0, comma)), count);
    if (!device) break;
    if (std::find(shown.begin(), shown.end(), *device) != shown.end()) return {};
    shown.push_back(*device);
    last = comma == std::string_view::npos;
    if (!last) list.remove_prefix(comma + 1);
  }
  return shown;
}

result<int> visible_device_count() {
  const auto list = find_list();
  if (!list) return list.error();
  return (*list)->count();
}

std::optional<device_id> device_at(int ordinal) {
  const auto list = find_list();
  if (!list || !(*list)->contains(ordinal)) return {};
  return (*list)->at(ordinal);
}

int ordinal_of(device_id device) {
  const auto list = find_list();
  const int ordinal = list ? (*list)->number_of(device) : -1;
  return ordinal < 0 ? cudaInvalidDeviceId : ordinal;
}

cudaUUID_t uuid_of(device_id device) {
  cudaUUID_t uuid = {};
  std::ranges::copy(compat::device_uuid(device), uuid.bytes);
  return uuid;
}

}  // namespace convoy::cuda
