#include "calls/devices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "shared/device_identity.hpp"

namespace convoy::nvml {
namespace {

// The first device for which the test holds.
template <class Test>
nvmlReturn_t find_device(nvmlDevice_t* handle, const Test& test) {
  if (handle == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const auto all = device_usages();
  if (!all) return return_code_of(all.error());
  for (int i = 0; i != static_cast<int>(all->size()); ++i) {
    if (!test(device_id{i})) continue;
    *handle = handle_of(device_id{i});
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

constexpr int long_domain = 8;

nvmlDeviceArchitecture_t architecture_of(const compat::two_part_version& capability) {
  switch (capability.major) {
    case 7: return NVML_DEVICE_ARCH_TURING;
    case 8: return capability.minor < 9 ? NVML_DEVICE_ARCH_AMPERE : NVML_DEVICE_ARCH_ADA;
    case 9: return NVML_DEVICE_ARCH_HOPPER;
    default: return NVML_DEVICE_ARCH_BLACKWELL;
  }
}

}  // namespace

nvmlReturn_t write_text(const std::string& text, char* into, unsigned length) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(into, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t count_devices(unsigned* count) {
  const auto all = device_usages();
  return all ? write(count, static_cast<unsigned>(all->size())) : return_code_of(all.error());
}

nvmlReturn_t find_by_index(unsigned index, nvmlDevice_t* handle) {
  const auto found = find_device(
      handle, [&](device_id each) { return static_cast<unsigned>(number(each)) == index; });
  return found == NVML_ERROR_NOT_FOUND ? NVML_ERROR_INVALID_ARGUMENT : found;
}

nvmlReturn_t find_by_uuid(const std::string& text, nvmlDevice_t* handle) {
  return find_device(handle,
                     [&](device_id each) { return compat::device_uuid_text(each) == text; });
}

nvmlReturn_t find_by_uuid(const nvmlUUID_t* uuid, nvmlDevice_t* handle) {
  if (uuid == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (uuid->version != nvmlUUID_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  const char* const text = uuid->value.str;
  switch (uuid->type) {
    case NVML_UUID_TYPE_ASCII:
      return find_by_uuid(std::string(text, strnlen(text, sizeof uuid->value.str)), handle);
    case NVML_UUID_TYPE_BINARY:
      return find_device(handle, [&](device_id each) {
        return std::ranges::equal(compat::device_uuid(each), uuid->value.bytes);
      });
    default: return NVML_ERROR_INVALID_ARGUMENT;
  }
}

nvmlReturn_t find_by_pci_name(const char* name, nvmlDevice_t* handle) {
  if (name == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const auto named = compat::device_of_pci_name(name);
  return find_device(handle, [&](device_id each) { return named == each; });
}

nvmlReturn_t describe_pci(device_id device, pci_form form, nvmlPciInfo_t* into) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  nvmlPciInfo_t made = {};
  made.bus = static_cast<unsigned>(compat::pci_bus(device));
  std::snprintf(made.busIdLegacy, sizeof made.busIdLegacy, "%s", compat::pci_name(device).c_str());
  std::snprintf(made.busId, sizeof made.busId, "%s", compat::pci_name(device, long_domain).c_str());
  const std::size_t sizes[] = {offsetof(nvmlPciInfo_t, pciSubSystemId),
                               offsetof(nvmlPciInfo_t, busId), sizeof made};
  std::memcpy(into, &made, sizes[static_cast<std::size_t>(form)]);
  return NVML_SUCCESS;
}

nvmlReturn_t describe_pci(device_id device, nvmlPciInfoExt_t* into) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (into->version != nvmlPciInfoExt_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  nvmlPciInfoExt_t made = {};
  made.version = into->version;
  made.bus = static_cast<unsigned>(compat::pci_bus(device));
  made.baseClass = 3;  // a display controller
  made.subClass = 2;   // with three dimensions
  std::snprintf(made.busId, sizeof made.busId, "%s", compat::pci_name(device, long_domain).c_str());
  *into = made;
  return NVML_SUCCESS;
}

nvmlReturn_t write_capability(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const auto capability = compat::capability();
  if (!capability) return return_code_of(capability.error());
  *major = capability->major;
  *minor = capability->minor;
  return NVML_SUCCESS;
}

nvmlReturn_t write_architecture(nvmlDeviceArchitecture_t* into) {
  const auto capability = compat::capability();
  return capability ? write(into, architecture_of(*capability))
                    : return_code_of(capability.error());
}

nvmlReturn_t describe_memory(const device_usage& usage, nvmlMemory_t* into) {
  return write(into, nvmlMemory_t{usage.total, usage.total - usage.used, usage.used});
}

nvmlReturn_t describe_memory(const device_usage& usage, nvmlMemory_v2_t* into) {
  if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (into->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  *into = {into->version, usage.total, 0, usage.total - usage.used, usage.used};
  return NVML_SUCCESS;
}

nvmlReturn_t describe_utilization(const device_usage& usage, nvmlUtilization_t* into) {
  const unsigned percent = usage.busy ? 100 : 0;
  return write(into, nvmlUtilization_t{percent, percent});
}

nvmlReturn_t read_fields(int count, nvmlFieldValue_t* values) {
  if (values == nullptr || count <= 0) return NVML_ERROR_INVALID_ARGUMENT;
  for (int i = 0; i != count; ++i) {
    nvmlFieldValue_t& each = values[i];
    const bool links = each.fieldId == NVML_FI_DEV_NVLINK_LINK_COUNT;
    each.timestamp = 0;
    each.latencyUsec = 0;
    each.valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
    each.nvmlReturn = links ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
    each.value = {};
  }
  return NVML_SUCCESS;
}

}  // namespace convoy::nvml
