// Functions of the driver by name, and private tables, of which there are none.
#include <cuda_runtime_api.h>

#include <cstdint>

#include "runtime/border.hpp"

using namespace convoy::cuda;

// The driver interface in this library. A query that finds nothing is a success with its own
// answer.
extern "C" [[gnu::weak]] int cuGetProcAddress_v2(const char* symbol, void** function, int version,
                                                 std::uint64_t flags, int* found);

namespace {

struct entry_query {
  const char* symbol;
  void** into;
  unsigned version;
  unsigned long long flags;
  cudaDriverEntryPointQueryResult* how;
};

outcome look_up(const entry_query& asked) {
  const bool known_flags = asked.flags <= cudaEnablePerThreadDefaultStream;
  if (asked.symbol == nullptr || asked.into == nullptr || !known_flags) {
    return cudaErrorInvalidValue;
  }
  int found = cudaDriverEntryPointSymbolNotFound;
  *asked.into = nullptr;
  if (&cuGetProcAddress_v2 != nullptr) {
    const int answer = cuGetProcAddress_v2(asked.symbol, asked.into,
                                           static_cast<int>(asked.version), asked.flags, &found);
    const bool missing = *asked.into == nullptr && found != cudaDriverEntryPointSuccess;
    if (answer != cudaSuccess && !missing) return static_cast<cudaError_t>(answer);
  }
  if (asked.how != nullptr) *asked.how = static_cast<cudaDriverEntryPointQueryResult>(found);
  if (asked.how == nullptr && *asked.into == nullptr) return cudaErrorSymbolNotFound;
  return cudaSuccess;
}

unsigned long long per_thread_flags(unsigned long long flags) {
  if (flags == cudaEnableDefault) return cudaEnablePerThreadDefaultStream;
  return flags;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** funcPtr, unsigned int cudaVersion, unsigned long long flags,
    cudaDriverEntryPointQueryResult* driverStatus) {
  return border(__func__, [&] {
    return look_up({symbol, funcPtr, cudaVersion, flags, driverStatus});
  });
}

CONVOY_EXPORT cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
    const char* symbol, void** funcPtr, unsigned int cudaVersion, unsigned long long flags,
    cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, cudaVersion, per_thread_flags(flags),
                                          driverStatus);
}

CONVOY_EXPORT cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr,
                                                  unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

CONVOY_EXPORT cudaError_t
cudaGetDriverEntryPoint_ptsz(const char* symbol, void** funcPtr, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPoint(symbol, funcPtr, per_thread_flags(flags), driverStatus);
}

CONVOY_EXPORT cudaError_t cudaGetExportTable(const void** ppExportTable, const cudaUUID_t*) {
  return border(__func__, [&]() -> outcome {
    if (ppExportTable != nullptr) *ppExportTable = nullptr;
    return convoy::status{convoy::errc::not_supported};
  });
}

}  // extern "C"
