// What the calls about devices do, with a device that was found.
#pragma once

#include <nvml.h>

#include <convoy/device.hpp>
#include <string>
#include <vector>

#include "state/library.hpp"

namespace convoy::nvml {

struct known_device {
  device_id id = {};
  device_usage usage = {};
  std::vector<device_usage> all = {};  // of every device
};

// Passes the device with this handle to the body; INVALID_ARGUMENT if there is none.
template <class Body>
nvmlReturn_t with_device(nvmlDevice_t handle, const Body& body) {
  auto all = device_usages();
  if (!all) return return_code_of(all.error());
  const auto found = device_of(handle, all->size());
  if (!found) return NVML_ERROR_INVALID_ARGUMENT;
  known_device device{*found, (*all)[static_cast<std::size_t>(number(*found))], std::move(*all)};
  return body(device);
}

// The same for two devices.
template <class Body>
nvmlReturn_t with_devices(nvmlDevice_t first, nvmlDevice_t second, const Body& body) {
  return with_device(first, [&](const known_device& one) {
    return with_device(second, [&](const known_device& other) { return body(one, other); });
  });
}

// INVALID_ARGUMENT for a null pointer.
template <class T>
nvmlReturn_t write(T* into, const T& value) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *into = value;
  return NVML_SUCCESS;
}

// Null-terminated; INSUFFICIENT_SIZE when the text does not fit.
nvmlReturn_t write_text(const std::string& text, char* into, unsigned length);

nvmlReturn_t count_devices(unsigned* count);
nvmlReturn_t find_by_index(unsigned index, nvmlDevice_t* handle);
nvmlReturn_t find_by_uuid(const std::string& text, nvmlDevice_t* handle);
nvmlReturn_t find_by_uuid(const nvmlUUID_t* uuid, nvmlDevice_t* handle);
nvmlReturn_t find_by_pci_name(const char* name, nvmlDevice_t* handle);

// The first forms have no subsystem number and one form of the bus id.
enum class pci_form { first, second, third };
nvmlReturn_t describe_pci(device_id device, pci_form form, nvmlPciInfo_t* into);
nvmlReturn_t describe_pci(device_id device, nvmlPciInfoExt_t* into);

nvmlReturn_t write_capability(int* major, int* minor);
nvmlReturn_t write_architecture(nvmlDeviceArchitecture_t* into);

nvmlReturn_t describe_memory(const device_usage& usage, nvmlMemory_t* into);
nvmlReturn_t describe_memory(const device_usage& usage, nvmlMemory_v2_t* into);
nvmlReturn_t describe_utilization(const device_usage& usage, nvmlUtilization_t* into);

// Each field has a code of its own.
nvmlReturn_t read_fields(int count, nvmlFieldValue_t* values);

}  // namespace convoy::nvml
