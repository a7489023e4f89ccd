// Where devices are, and how they reach each other.
#include "calls/topology.hpp"

#include "exports/nvml_call.hpp"

using namespace convoy::nvml;

namespace {

template <class Body>
nvmlReturn_t pair_call(const char* function, nvmlDevice_t first, nvmlDevice_t second,
                       const Body& body) noexcept {
  return nvml_call(function, [&] { return with_devices(first, second, body); });
}

}  // namespace

extern "C" {

CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int cpuSetSize,
                                                    unsigned long* cpuSet) {
  return device_call(__func__, device, [&](const known_device&) {
    return write_cpus(cpuSetSize, cpuSet, NVML_AFFINITY_SCOPE_NODE);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device,
                                                               unsigned int cpuSetSize,
                                                               unsigned long* cpuSet,
                                                               nvmlAffinityScope_t scope) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write_cpus(cpuSetSize, cpuSet, scope); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t device,
                                                       unsigned int nodeSetSize,
                                                       unsigned long* nodeSet,
                                                       nvmlAffinityScope_t scope) {
  return device_call(__func__, device,
                     [&](const known_device&) { return write_nodes(nodeSetSize, nodeSet, scope); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned int* node) {
  return device_call(__func__, device, [&](const known_device&) { return write_node(node); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2,
                                                 int* onSameBoard) {
  return pair_call(__func__, device1, device2,
                   [&](const known_device& one, const known_device& other) {
                     return write(onSameBoard, one.id == other.id ? 1 : 0);
                   });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1,
                                                               nvmlDevice_t device2,
                                                               nvmlGpuTopologyLevel_t* pathInfo) {
  return pair_call(__func__, device1, device2,
                   [&](const known_device& one, const known_device& other) {
                     return write(pathInfo, common_ancestor(one.id, other.id));
                   });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device,
                                                            nvmlGpuTopologyLevel_t level,
                                                            unsigned int* count,
                                                            nvmlDevice_t* deviceArray) {
  return device_call(__func__, device, [&](const known_device& found) {
    return list_nearest(found, static_cast<int>(level), count, deviceArray);
  });
}
CONVOY_EXPORT nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned int cpuNumber, unsigned int* count,
                                                       nvmlDevice_t* deviceArray) {
  return nvml_call(__func__, [&] { return list_near_cpu(cpuNumber, count, deviceArray); });
}
CONVOY_EXPORT nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                                  nvmlGpuP2PCapsIndex_t p2pIndex,
                                                  nvmlGpuP2PStatus_t* p2pStatus) {
  return pair_call(__func__, device1, device2, [&](const known_device&, const known_device&) {
    return peer_status(static_cast<int>(p2pIndex), p2pStatus);
  });
}

}  // extern "C"
