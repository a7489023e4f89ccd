// Handles, and what a device is.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "calls/devices.hpp"

#include "exports/nvml_call.hpp"
#include "shared/device_identity.hpp"

using namespace convoy;
using namespace convoy::nvml;

extern "C" {

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetCount(unsigned int* deviceCount) {
  return nvml_call(__func__, [&] { return count_devices(deviceCount); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* deviceCount) {
  return nvml_call(__func__, [&] { return count_devices(deviceCount); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
  return nvml_call(__func__, [&] { return find_by_index(index, device); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return nvml_call(__func__, [&] { return find_by_index(index, device); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return nvml_call(__func__, [&] {
    return uuid == nullptr ? NVML_ERROR_INVALID_ARGUMENT : find_by_uuid(std::string(uuid), device);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t* uuid,
                                                      nvmlDevice_t* device) {
  return nvml_call(__func__, [&] { return find_by_uuid(uuid, device); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* pciBusId,
                                                         nvmlDevice_t* device) {
  return nvml_call(__func__, [&] { return find_by_pci_name(pciBusId, device); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* pciBusId,
                                                            nvmlDevice_t* device) {
  return nvml_call(__func__, [&] { return find_by_pci_name(pciBusId, device); });
}

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return device_call(__func__, device, [&](const known_device& found) {
    return write_text(compat::device_name(found.id), name, length);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return device_call(__func__, device, [&](const known_device& found) {
    return write_text(compat::device_uuid_text(found.id), uuid, length);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  return device_call(__func__, device, [&](const known_device& found) {
    return write(index, static_cast<unsigned>(number(found.id)));
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device,
                                                    unsigned int* minorNumber) {
  return device_call(__func__, device, [&](const known_device& found) {
    return write(minorNumber, static_cast<unsigned>(number(found.id)));
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned int* boardId) {
  return device_call(__func__, device, [&](const known_device& found) {
    return write(boardId, static_cast<unsigned>(number(found.id)));
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device,
                                                      unsigned int* multiGpuBool) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write(multiGpuBool, 0U); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* type) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write(type, NVML_BRAND_UNKNOWN); });
}

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_pci(found.id, pci_form::first, pci);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_pci(found.id, pci_form::second, pci);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_pci(found.id, pci_form::third, pci);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t* pci) {
  return device_call(__func__, device,
                     [&](const known_device& found) { return describe_pci(found.id, pci); });
}

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major,
                                                              int* minor) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write_capability(major, minor); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device,
                                                     nvmlDeviceArchitecture_t* arch) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write_architecture(arch); });
}

}  // extern "C"
