// Where devices are: all of them under one host bridge, near every CPU and every NUMA node that is
// online, because the CPUs make the copies and device memory is memory of the machine.
#pragma once

#include "calls/devices.hpp"

namespace convoy::nvml {

nvmlGpuTopologyLevel_t common_ancestor(device_id one, device_id other);
nvmlReturn_t list_nearest(const known_device& device, int level, unsigned* count,
                          nvmlDevice_t* into);
nvmlReturn_t list_near_cpu(unsigned cpu, unsigned* count, nvmlDevice_t* into);
nvmlReturn_t peer_status(int index, nvmlGpuP2PStatus_t* into);

nvmlReturn_t write_cpus(unsigned words, unsigned long* into, nvmlAffinityScope_t scope);
nvmlReturn_t write_nodes(unsigned words, unsigned long* into, nvmlAffinityScope_t scope);

// NOT_SUPPORTED where the machine has several nodes: device memory may then be on any of them.
nvmlReturn_t write_node(unsigned* into);

}  // namespace convoy::nvml
