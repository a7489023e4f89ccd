#include "calls/topology.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

namespace convoy::nvml {
namespace {

constexpr unsigned bits = std::numeric_limits<unsigned long>::digits;

// The numbers of a list such as "0-3,8", as the kernel writes them; number 0 if it cannot be read.
std::vector<unsigned> online(const char* path) {
  std::vector<unsigned> numbers;
  std::ifstream file(path);
  for (unsigned first = 0; file >> first;) {
    unsigned last = first;
    if (file.peek() == '-') file.ignore(1) >> last;
    for (unsigned each = first; each <= last; ++each) numbers.push_back(each);
    if (file.peek() == ',') file.ignore(1);
  }
  if (numbers.empty()) numbers.push_back(0);
  return numbers;
}

std::vector<unsigned> online_cpus() { return online("/sys/devices/system/cpu/online"); }
std::vector<unsigned> online_nodes() { return online("/sys/devices/system/node/online"); }

nvmlReturn_t write_mask(const std::vector<unsigned>& numbers, unsigned words, unsigned long* into,
                        nvmlAffinityScope_t scope) {
  if (words == 0 || into == nullptr || scope > NVML_AFFINITY_SCOPE_SOCKET) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  std::fill_n(into, words, 0UL);
  for (const unsigned each : numbers) {
    if (each / bits < words) into[each / bits] |= 1UL << each % bits;
  }
  return NVML_SUCCESS;
}

// A count of 0 asks how many there are.
nvmlReturn_t write_handles(const std::vector<nvmlDevice_t>& found, unsigned* count,
                           nvmlDevice_t* into) {
  if (count == nullptr || (*count != 0 && into == nullptr)) return NVML_ERROR_INVALID_ARGUMENT;
  const std::size_t room = *count;
  *count = static_cast<unsigned>(found.size());
  if (room == 0) return NVML_SUCCESS;
  if (room < found.size()) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::copy(found.begin(), found.end(), into);
  return NVML_SUCCESS;
}

bool is_level(int level) {
  return level >= NVML_TOPOLOGY_INTERNAL && level <= NVML_TOPOLOGY_SYSTEM && level % 10 == 0;
}

}  // namespace

nvmlGpuTopologyLevel_t common_ancestor(device_id one, device_id other) {
  return one == other ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_HOSTBRIDGE;
}

nvmlReturn_t list_nearest(const known_device& device, int level, unsigned* count,
                          nvmlDevice_t* into) {
  if (!is_level(level)) return NVML_ERROR_INVALID_ARGUMENT;
  std::vector<nvmlDevice_t> found;
  for (int i = 0; i != static_cast<int>(device.all.size()); ++i) {
    const device_id other{i};
    if (other == device.id || common_ancestor(device.id, other) != level) continue;
    found.push_back(handle_of(other));
  }
  return write_handles(found, count, into);
}

nvmlReturn_t list_near_cpu(unsigned cpu, unsigned* count, nvmlDevice_t* into) {
  const auto cpus = online_cpus();
  if (std::ranges::find(cpus, cpu) == cpus.end()) return NVML_ERROR_INVALID_ARGUMENT;
  const auto all = device_usages();
  if (!all) return return_code_of(all.error());
  std::vector<nvmlDevice_t> found;
  for (int i = 0; i != static_cast<int>(all->size()); ++i) {
    found.push_back(handle_of(device_id{i}));
  }
  return write_handles(found, count, into);
}

nvmlReturn_t peer_status(int index, nvmlGpuP2PStatus_t* into) {
  if (index < NVML_P2P_CAPS_INDEX_READ || index >= NVML_P2P_CAPS_INDEX_UNKNOWN) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return write(into, index == NVML_P2P_CAPS_INDEX_NVLINK ? NVML_P2P_STATUS_NOT_SUPPORTED
                                                         : NVML_P2P_STATUS_OK);
}

nvmlReturn_t write_cpus(unsigned words, unsigned long* into, nvmlAffinityScope_t scope) {
  return write_mask(online_cpus(), words, into, scope);
}

nvmlReturn_t write_nodes(unsigned words, unsigned long* into, nvmlAffinityScope_t scope) {
  return write_mask(online_nodes(), words, into, scope);
}

nvmlReturn_t write_node(unsigned* into) {
  const auto nodes = online_nodes();
  return nodes.size() == 1 ? write(into, nodes.front()) : NVML_ERROR_NOT_SUPPORTED;
}

}  // namespace convoy::nvml
