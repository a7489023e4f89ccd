// Driver functions by name. Private export tables are not supported.
#include "calls/entry_points.hpp"

#include <cuda_runtime_api.h>

#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

namespace {

struct entry_query {
  const char* symbol;
  void** function;
  unsigned version;
  unsigned long long flags;
  cudaDriverEntryPointQueryResult* result;
};

// If the caller passes `result`, a name that is not found is reported there and not as an error.
call_status look_up(const entry_query& query) {
  const bool known_flags = query.flags <= cudaEnablePerThreadDefaultStream;
  if (query.symbol == nullptr || query.function == nullptr || !known_flags) {
    return cudaErrorInvalidValue;
  }
  const bool per_thread = query.flags == cudaEnablePerThreadDefaultStream;
  const entry_lookup found =
      find_entry(query.symbol, static_cast<int>(query.version),
                 per_thread ? default_stream_form::per_thread : default_stream_form::legacy);
  *query.function = found.function;
  if (query.result != nullptr)
    *query.result = static_cast<cudaDriverEntryPointQueryResult>(found.result);
  if (query.result == nullptr && found.function == nullptr) return cudaErrorSymbolNotFound;
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
  return runtime_call(__func__, [&] {
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
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, newest_version, flags, driverStatus);
}

CONVOY_EXPORT cudaError_t
cudaGetDriverEntryPoint_ptsz(const char* symbol, void** funcPtr, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPoint(symbol, funcPtr, per_thread_flags(flags), driverStatus);
}

CONVOY_EXPORT cudaError_t cudaGetExportTable(const void** ppExportTable, const cudaUUID_t*) {
  return runtime_call(__func__, [&]() -> call_status {
    if (ppExportTable != nullptr) *ppExportTable = nullptr;
    return convoy::status{convoy::errc::not_supported};
  });
}

}  // extern "C"
