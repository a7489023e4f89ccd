#include "state/visible_devices.hpp"

#include <algorithm>
#include <charconv>
#include <convoy/device.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "types/handles.h"

namespace convoy::cuda {
namespace {

constexpr std::string_view uuid_prefix = "GPU-";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "GPU-" and the UUID in groups of 8, 4, 4, 4 and 12 digits.
std::string uuid_text(device_id device) {
  const cudaUUID_t uuid = uuid_of(device);
  std::string text(uuid_prefix);
  for (int i = 0; i != 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3] = {};
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
  }
  return text;
}

// The device whose UUID starts with the entry; none if that is true for several devices.
std::optional<device_id> find_by_uuid(std::string_view entry, int count) {
  std::optional<device_id> found;
  for (int i = 0; i != count; ++i) {
    if (!uuid_text(device_id{i}).starts_with(entry)) continue;
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

std::vector<device_id> all_devices(int count) {
  std::vector<device_id> all;
  for (int i = 0; i != count; ++i) all.push_back(device_id{i});
  return all;
}

// Never destroyed: programs make CUDA calls in static destructors.
const std::vector<device_id>& visible_devices(int count) {
  static const auto* const list = [&] {
    const char* const value = std::getenv("CUDA_VISIBLE_DEVICES");
    return new std::vector<device_id>(value == nullptr ? all_devices(count)
                                                       : parse_visible_devices(value, count));
  }();
  return *list;
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
  const auto count = device_count();
  if (!count) return count.error();
  return static_cast<int>(visible_devices(*count).size());
}

std::optional<device_id> device_at(int ordinal) {
  const auto count = device_count();
  if (!count) return {};
  const auto& visible = visible_devices(*count);
  if (ordinal < 0 || ordinal >= static_cast<int>(visible.size())) return {};
  return visible[static_cast<std::size_t>(ordinal)];
}

int ordinal_of(device_id device) {
  const auto count = device_count();
  if (!count) return cudaInvalidDeviceId;
  const auto& visible = visible_devices(*count);
  const auto found = std::find(visible.begin(), visible.end(), device);
  return found == visible.end() ? cudaInvalidDeviceId : static_cast<int>(found - visible.begin());
}

cudaUUID_t uuid_of(device_id device) {
  return {{static_cast<char>(number(device)), 'c', 'o', 'n', 'v', 'o', 'y'}};
}

}  // namespace convoy::cuda
