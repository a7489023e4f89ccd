// Errors, versions, and the error log.
#include <cuda_runtime_api.h>

#include <utility>

#include "calls/devices.hpp"
#include "calls/logs.hpp"
#include "runtime_api/runtime_call.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetLastError() {
  return std::exchange(this_thread().last_error, cudaSuccess);
}

CONVOY_EXPORT cudaError_t cudaPeekAtLastError() { return this_thread().last_error; }

CONVOY_EXPORT const char* cudaGetErrorName(cudaError_t error) {
  const error_text* const text = error_text_of(error);
  return text == nullptr || text->runtime_name == nullptr ? unrecognized_code : text->runtime_name;
}

CONVOY_EXPORT const char* cudaGetErrorString(cudaError_t error) {
  const error_text* const text = error_text_of(error);
  return text == nullptr || text->runtime_name == nullptr ? unrecognized_code : text->description;
}

CONVOY_EXPORT cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return call_without_driver(__func__, [&] { return write_version(driverVersion); });
}

CONVOY_EXPORT cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return call_without_driver(__func__, [&] { return write_version(runtimeVersion); });
}

CONVOY_EXPORT cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                                   cudaLogsCallbackHandle* callback_out) {
  return call_without_driver(
      __func__, [&] { return register_log_callback(callbackFunc, userData, callback_out); });
}

CONVOY_EXPORT cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return call_without_driver(__func__, [&] { return unregister_log_callback(callback); });
}

CONVOY_EXPORT cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
  return call_without_driver(__func__, [&] { return current_log(iterator_out, flags); });
}

CONVOY_EXPORT cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile,
                                             unsigned int flags) {
  return call_without_driver(__func__,
                             [&] { return dump_log_to_file(iterator, pathToFile, flags); });
}

CONVOY_EXPORT cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer,
                                               size_t* size, unsigned int flags) {
  return call_without_driver(__func__,
                             [&] { return dump_log_to_memory(iterator, buffer, size, flags); });
}

}  // extern "C"
