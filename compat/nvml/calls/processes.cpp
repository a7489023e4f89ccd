#include "calls/processes.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace convoy::nvml {

nvmlReturn_t list_process_details(const device_usage& usage, nvmlProcessDetailList_t* list) {
  if (list == nullptr || list->mode > NVML_PROCESS_MODE_ALL) return NVML_ERROR_INVALID_ARGUMENT;
  if (list->version != nvmlProcessDetailList_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  if (list->mode == NVML_PROCESS_MODE_GRAPHICS || list->mode == NVML_PROCESS_MODE_MPS) {
    return list_no_processes(&list->numProcArrayEntries);
  }
  return list_compute_processes(usage, &list->numProcArrayEntries, list->procArray);
}

nvmlReturn_t name_process(unsigned pid, char* name, unsigned length) {
  if (name == nullptr || length == 0) return NVML_ERROR_INVALID_ARGUMENT;
  const std::string folder = "/proc/" + std::to_string(pid);
  std::string found;
  if (std::ifstream words(folder + "/cmdline"); !std::getline(words, found, '\0')) {
    // A kernel thread has no command line.
    if (std::ifstream comm(folder + "/comm"); !std::getline(comm, found)) {
      return NVML_ERROR_NOT_FOUND;
    }
  }
  const std::size_t kept = std::min<std::size_t>(found.size(), length - 1);
  std::memcpy(name, found.data(), kept);
  name[kept] = '\0';
  return NVML_SUCCESS;
}

}  // namespace convoy::nvml
