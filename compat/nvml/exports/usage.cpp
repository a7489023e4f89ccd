// Memory, utilisation and processes.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "calls/processes.hpp"
#include "exports/nvml_call.hpp"

using namespace convoy::nvml;

namespace {

template <class Process>
nvmlReturn_t compute_processes(const char* function, nvmlDevice_t device, unsigned* count,
                               Process* into) noexcept {
  return device_call(function, device, [&](const known_device& found) {
    return list_compute_processes(found.usage, count, into);
  });
}

nvmlReturn_t no_processes(const char* function, nvmlDevice_t device, unsigned* count) noexcept {
  return device_call(function, device,
                     [&](const known_device&) { return list_no_processes(count); });
}

}  // namespace

extern "C" {

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_memory(found.usage, memory);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device,
                                                      nvmlMemory_v2_t* memory) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_memory(found.usage, memory);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                                         nvmlUtilization_t* utilization) {
  return device_call(__func__, device, [&](const known_device& found) {
    return describe_utilization(found.usage, utilization);
  });
}

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device,
                                                                unsigned int* infoCount,
                                                                nvmlProcessInfo_v1_t* infos) {
  return compute_processes(__func__, device, infoCount, infos);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device,
                                                                   unsigned int* infoCount,
                                                                   nvmlProcessInfo_v2_t* infos) {
  return compute_processes(__func__, device, infoCount, infos);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device,
                                                                   unsigned int* infoCount,
                                                                   nvmlProcessInfo_t* infos) {
  return compute_processes(__func__, device, infoCount, infos);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device,
                                                                 unsigned int* infoCount,
                                                                 nvmlProcessInfo_v1_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device,
                                                                    unsigned int* infoCount,
                                                                    nvmlProcessInfo_v2_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device,
                                                                    unsigned int* infoCount,
                                                                    nvmlProcessInfo_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device,
                                                                   unsigned int* infoCount,
                                                                   nvmlProcessInfo_v1_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device,
                                                                      unsigned int* infoCount,
                                                                      nvmlProcessInfo_v2_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device,
                                                                      unsigned int* infoCount,
                                                                      nvmlProcessInfo_t*) {
  return no_processes(__func__, device, infoCount);
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device,
                                                                 nvmlProcessDetailList_t* plist) {
  return device_call(__func__, device, [&](const known_device& found) {
    return list_process_details(found.usage, plist);
  });
}

}  // extern "C"
