// Modes of a device, none of which can be changed, and its fields.
#include "exports/nvml_call.hpp"

using namespace convoy::nvml;

namespace {

// The same value for every device.
template <class T>
nvmlReturn_t constant(const char* function, nvmlDevice_t device, T* into, T value) noexcept {
  return device_call(function, device, [&](const known_device&) { return write(into, value); });
}

// A current and a pending mode.
template <class T>
nvmlReturn_t constants(const char* function, nvmlDevice_t device, T* current, T* pending,
                       T value) noexcept {
  return device_call(function, device, [&](const known_device&) {
    if (current == nullptr || pending == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    *current = value;
    return write(pending, value);
  });
}

}  // namespace

extern "C" {

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return constant(__func__, device, mode, NVML_COMPUTEMODE_DEFAULT);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                                nvmlEnableState_t* pending) {
  return constants(__func__, device, current, pending, NVML_FEATURE_DISABLED);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device,
                                                       nvmlEnableState_t* defaultMode) {
  return constant(__func__, device, defaultMode, NVML_FEATURE_DISABLED);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device,
                                                        nvmlEnableState_t* mode) {
  return constant(__func__, device, mode, NVML_FEATURE_DISABLED);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device,
                                                    nvmlEnableState_t* display) {
  return constant(__func__, device, display, NVML_FEATURE_DISABLED);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device,
                                                      nvmlEnableState_t* isActive) {
  return constant(__func__, device, isActive, NVML_FEATURE_DISABLED);
}
CONVOY_EXPORT nvmlReturn_t
nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, nvmlGpuVirtualizationMode_t* pVirtualMode) {
  return constant(__func__, device, pVirtualMode, NVML_GPU_VIRTUALIZATION_MODE_NONE);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* currentMode,
                                                unsigned int* pendingMode) {
  constexpr unsigned off = NVML_DEVICE_MIG_DISABLE;
  return constants(__func__, device, currentMode, pendingMode, off);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device,
                                                          unsigned int* count) {
  return constant(__func__, device, count, 0U);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device,
                                                       unsigned int* isMigDevice) {
  return constant(__func__, device, isMigDevice, 0U);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int valuesCount,
                                                    nvmlFieldValue_t* values) {
  return device_call(__func__, device,
                     [&](const known_device&) { return read_fields(valuesCount, values); });
}

}  // extern "C"
