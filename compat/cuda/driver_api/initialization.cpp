// Initialization, versions, error names, entry points, the error log, and the profiler.
#include <string>

#include "calls/devices.hpp"
#include "calls/entry_points.hpp"
#include "calls/logs.hpp"
#include "calls/warnings.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "driver_api/legacy_symbols.hpp"
#include "state/error_log.hpp"

using namespace convoy::cuda;

namespace {

constexpr cuuint64_t lookup_flags_known =
    CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

CUresult log_unknown_symbol(const char* function, const char* symbol,
                            const entry_lookup& found) noexcept try {
  const std::string version =
      std::to_string(found.version / 1000) + "." + std::to_string(found.version % 1000 / 10);
  const bool too_old = found.result == lookup_result::version_not_sufficient;
  log_error(function,
            "CUDA_ERROR_NOT_FOUND: " + std::string(symbol) +
                (too_old ? " is newer than CUDA " + version : " is not a function of the driver"));
  return CUDA_ERROR_NOT_FOUND;
} catch (const std::bad_alloc&) {
  return CUDA_ERROR_NOT_FOUND;
}

CUresult look_up(const char* function, const char* symbol, void** pfn, int version,
                 cuuint64_t flags, CUdriverProcAddressQueryResult* result) noexcept {
  if (symbol == nullptr || pfn == nullptr || (flags & ~lookup_flags_known) != 0) {
    return log_driver_error(function, cudaErrorInvalidValue);
  }
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const entry_lookup found = find_entry(
      symbol, version, per_thread ? default_stream_form::per_thread : default_stream_form::legacy);
  *pfn = found.function;
  if (result != nullptr) *result = static_cast<CUdriverProcAddressQueryResult>(found.result);
  if (found.function != nullptr) return CUDA_SUCCESS;
  return log_unknown_symbol(function, symbol, found);
}

CUresult write_text(const char* text, const char** into) noexcept {
  *into = text;
  return text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuInit(unsigned int Flags) {
  if (Flags != 0) return log_driver_error(__func__, cudaErrorInvalidValue);
  const call_status s = initialize_driver();
  return s.ok() ? CUDA_SUCCESS : log_driver_error(__func__, s);
}

CONVOY_EXPORT CUresult cuDriverGetVersion(int* driverVersion) {
  const call_status s = write_version(driverVersion);
  return s.ok() ? CUDA_SUCCESS : log_driver_error(__func__, s);
}

CONVOY_EXPORT CUresult cuGetErrorName(CUresult error, const char** pStr) {
  if (pStr == nullptr) return log_driver_error(__func__, cudaErrorInvalidValue);
  const error_text* const text = error_text_of(error);
  return write_text(text == nullptr ? nullptr : text->driver_name, pStr);
}

CONVOY_EXPORT CUresult cuGetErrorString(CUresult error, const char** pStr) {
  if (pStr == nullptr) return log_driver_error(__func__, cudaErrorInvalidValue);
  const error_text* const text = error_text_of(error);
  const bool known = text != nullptr && text->driver_name != nullptr;
  return write_text(known ? text->description : nullptr, pStr);
}

CONVOY_EXPORT CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion,
                                        cuuint64_t flags) {
  return look_up(__func__, symbol, pfn, cudaVersion, flags, nullptr);
}

CONVOY_EXPORT CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion,
                                           cuuint64_t flags,
                                           CUdriverProcAddressQueryResult* symbolStatus) {
  return look_up(__func__, symbol, pfn, cudaVersion, flags, symbolStatus);
}

// NVIDIA's runtime, linked statically or from another library, calls it when it starts.
CONVOY_EXPORT CUresult cuGetExportTable(const void** ppExportTable, const CUuuid*) {
  warn_of_other_runtime(__builtin_return_address(0));
  if (ppExportTable != nullptr) *ppExportTable = nullptr;
  return log_driver_error(__func__, convoy::status{convoy::errc::not_supported});
}

CONVOY_EXPORT CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData,
                                              CUlogsCallbackHandle* callback_out) {
  return driver_call(__func__, [&] {
    return register_log_callback(as_runtime(callbackFunc), userData, callback_out);
  });
}

CONVOY_EXPORT CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
  return driver_call(__func__, [&] { return unregister_log_callback(callback); });
}

CONVOY_EXPORT CUresult cuLogsCurrent(CUlogIterator* iterator_out, unsigned int flags) {
  return driver_call(__func__, [&] { return current_log(iterator_out, flags); });
}

CONVOY_EXPORT CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile,
                                        unsigned int flags) {
  return driver_call(__func__, [&] { return dump_log_to_file(iterator, pathToFile, flags); });
}

CONVOY_EXPORT CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size,
                                          unsigned int flags) {
  return driver_call(__func__, [&] { return dump_log_to_memory(iterator, buffer, size, flags); });
}

CONVOY_EXPORT CUresult cuProfilerInitialize(const char*, const char*, int) { return CUDA_SUCCESS; }
CONVOY_EXPORT CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CONVOY_EXPORT CUresult cuProfilerStop() { return CUDA_SUCCESS; }

}  // extern "C"
