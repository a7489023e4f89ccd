#include "calls/capability_attributes.hpp"

#include <algorithm>
#include <iterator>

#include "types/device.h"

namespace convoy::cuda {
namespace {

constexpr int kibibyte = 1024;

// Memory in KiB. The number of registers, 65536, is that of all these capabilities.
struct capability_limits {
  compat::two_part_version capability;
  int threads;
  int blocks;
  int shared_memory;
  int shared_memory_per_block;  // when a kernel asks for more than the usual 48 KiB
  int reserved_per_block;
  int single_to_double;  // arithmetic throughput
};

constexpr capability_limits all_limits[] = {
    {{7, 5}, 1024, 16, 64, 64, 0, 32},    // Turing
    {{8, 0}, 2048, 32, 164, 163, 1, 2},   // Ampere
    {{8, 6}, 1536, 16, 100, 99, 1, 32},   // Ampere
    {{8, 9}, 1536, 24, 100, 99, 1, 64},   // Ada
    {{9, 0}, 2048, 32, 228, 227, 1, 2},   // Hopper
    {{10, 0}, 2048, 32, 228, 227, 1, 2},  // Blackwell
    {{12, 0}, 1536, 24, 100, 99, 1, 64},  // Blackwell
};

const capability_limits& limits_of(const compat::two_part_version& capability) {
  const auto* const found =
      std::find_if(std::begin(all_limits), std::end(all_limits), [&](const auto& each) {
        return each.capability.major == capability.major &&
               each.capability.minor == capability.minor;
      });
  return found == std::end(all_limits) ? all_limits[0] : *found;
}

}  // namespace

std::optional<int> capability_attribute(const compat::two_part_version& capability, int attribute) {
  const capability_limits& limits = limits_of(capability);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: return capability.major;
    case cudaDevAttrComputeCapabilityMinor: return capability.minor;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return limits.threads;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return limits.blocks;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return limits.shared_memory * kibibyte;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return limits.shared_memory_per_block * kibibyte;
    case cudaDevAttrReservedSharedMemoryPerBlock: return limits.reserved_per_block * kibibyte;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return limits.single_to_double;
    default: return {};
  }
}

}  // namespace convoy::cuda
