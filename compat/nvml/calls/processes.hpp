// The processes that use a device. Only this one is known: other processes have devices of their
// own, with their own memory.
#pragma once

#include <unistd.h>

#include "calls/devices.hpp"

namespace convoy::nvml {

inline constexpr auto no_instance = static_cast<unsigned>(NVML_VALUE_NOT_AVAILABLE);

// Fills the members that each form of the structure has.
template <class Process>
Process this_process(const device_usage& usage) {
  Process made = {};
  made.pid = static_cast<unsigned>(::getpid());
  made.usedGpuMemory = usage.used;
  if constexpr (requires { made.gpuInstanceId; }) {
    made.gpuInstanceId = no_instance;
    made.computeInstanceId = no_instance;
  }
  return made;
}

// This process is listed while it holds memory of the device.
template <class Process>
nvmlReturn_t list_compute_processes(const device_usage& usage, unsigned* count, Process* into) {
  if (count == nullptr || (*count != 0 && into == nullptr)) return NVML_ERROR_INVALID_ARGUMENT;
  const unsigned room = *count;
  *count = usage.used == 0 ? 0 : 1;
  if (*count > room) return NVML_ERROR_INSUFFICIENT_SIZE;
  if (*count == 1) *into = this_process<Process>(usage);
  return NVML_SUCCESS;
}

// Convoy draws nothing and has no MPS.
inline nvmlReturn_t list_no_processes(unsigned* count) { return write(count, 0U); }

nvmlReturn_t list_process_details(const device_usage& usage, nvmlProcessDetailList_t* list);

nvmlReturn_t name_process(unsigned pid, char* name, unsigned length);

}  // namespace convoy::nvml
