// Functions of the driver by name, and private tables, of which there are none.
#include "calls/entry_points.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/border.hpp"

using namespace convoy::cuda;

namespace {

struct entry_query {
  const char* symbol;
  void** into;
  unsigned version;
  unsigned long long flags;
  cudaDriverEntryPointQueryResult* how;
};

// A query that finds nothing is a success with its own answer, for those who take the answer.
outcome look_up(const entry_query& asked) {
  const bool known_flags = asked.flags <= cudaEnablePerThreadDefaultStream;
  if (asked.symbol == nullptr || asked.into == nullptr || !known_flags) {
    return cudaErrorInvalidValue;
  }
  const bool per_thread = asked.flags == cudaEnablePerThreadDefaultStream;
  const found_entry found =
      find_entry(asked.symbol, static_cast<int>(asked.version),
                 per_thread ? default_stream_form::per_thread : default_stream_form::legacy);
  *asked.into = found.function;
  if (asked.how != nullptr) *asked.how = static_cast<cudaDriverEntryPointQueryResult>(found.how);
  if (asked.how == nullptr && found.function == nullptr) return cudaErrorSymbolNotFound;
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
