// What identifies the devices to CUDA programs: the CUDA front end, NVML and the command line
// agree.
#pragma once

#include <array>
#include <atomic>
#include <convoy/configuration.hpp>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace convoy::compat {

struct two_part_version {
  int major = 0;
  int minor = 0;
};

// A setting such as "13.2". It is read once, and without a lock that a forked child could find
// locked: threads that read it at the same time store the same number.
inline result<two_part_version> version_setting(const char* name, std::atomic<int>& cache) {
  constexpr int factor = 1000;
  int packed = cache.load(std::memory_order_relaxed);
  if (packed == 0) {
    const auto text = setting_value(name);
    if (!text) return text.error();
    two_part_version read;
    std::sscanf(text->c_str(), "%d.%d", &read.major, &read.minor);
    packed = read.major * factor + read.minor;
    cache.store(packed, std::memory_order_relaxed);
  }
  return two_part_version{packed / factor, packed % factor};
}

// CONVOY_CUDA_VERSION as cuDriverGetVersion() encodes it: 13020 for 13.2.
inline result<int> cuda_version() {
  static std::atomic<int> cache = 0;
  const auto version = version_setting("CONVOY_CUDA_VERSION", cache);
  if (!version) return version.error();
  return version->major * 1000 + version->minor * 10;
}

// CONVOY_CUDA_CAPABILITY, of every device.
inline result<two_part_version> capability() {
  static std::atomic<int> cache = 0;
  return version_setting("CONVOY_CUDA_CAPABILITY", cache);
}

inline std::string device_name(device_id device) {
  return "Convoy device " + std::to_string(number(device));
}

// The first byte differs between devices, so that two digits identify one.
inline std::array<std::uint8_t, 16> device_uuid(device_id device) {
  return {static_cast<std::uint8_t>(number(device)), 'c', 'o', 'n', 'v', 'o', 'y'};
}

// "GPU-" and the UUID in groups of 8, 4, 4, 4 and 12 digits.
inline std::string device_uuid_text(device_id device) {
  std::string text = "GPU-";
  std::size_t byte = 0;
  for (const std::uint8_t each : device_uuid(device)) {
    if (byte == 4 || byte == 6 || byte == 8 || byte == 10) text += '-';
    std::array<char, 3> digits = {};
    std::snprintf(digits.data(), digits.size(), "%02x", each);
    text += digits.data();
    ++byte;
  }
  return text;
}

// Devices have a bus each, in PCI domain 0, in the order of their numbers.
inline constexpr int first_pci_bus = 1;
inline int pci_bus(device_id device) { return first_pci_bus + number(device); }

// "domain:bus:device.function" in hexadecimal, the domain with this many digits.
inline std::string pci_name(device_id device, int domain_digits = 4) {
  std::array<char, 24> text = {};
  std::snprintf(text.data(), text.size(), "%0*X:%02X:00.0", domain_digits, 0U,
                static_cast<unsigned>(pci_bus(device)));
  return text.data();
}

// The device that a name of this form stands for, whether it exists or not. The domain and the
// function may be left out.
inline std::optional<device_id> device_of_pci_name(const char* name) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  if (std::sscanf(name, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(name, "%x:%x", &bus, &slot) != 2) return {};
  }
  if (domain != 0 || slot != 0 || bus < first_pci_bus || bus >= first_pci_bus + max_devices) {
    return {};
  }
  return device_id{static_cast<int>(bus) - first_pci_bus};
}

}  // namespace convoy::compat
