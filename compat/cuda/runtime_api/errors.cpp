// Errors, versions, and the log of what was refused.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "calls/devices.hpp"
#include "runtime_api/runtime_call.hpp"
#include "state/error_log.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

namespace {

constexpr const char* unrecognized_code = "unrecognized error code";
constexpr std::size_t min_log_buffer = 2;

// The sentences since the iterator, or all, for a reader that takes `max_bytes` bytes.
std::string read_log(cudaLogIterator* iterator, std::size_t max_bytes) {
  std::string text = log_entries_since(iterator == nullptr ? 0 : *iterator, max_bytes);
  if (iterator != nullptr) *iterator = next_log_entry();
  return text;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetLastError() {
  return std::exchange(this_thread().last_error, cudaSuccess);
}

CONVOY_EXPORT cudaError_t cudaPeekAtLastError() { return this_thread().last_error; }

CONVOY_EXPORT const char* cudaGetErrorName(cudaError_t error) {
  const error_text* const text = error_text_of(error);
  return text == nullptr ? unrecognized_code : text->runtime_name;
}

CONVOY_EXPORT const char* cudaGetErrorString(cudaError_t error) {
  const error_text* const text = error_text_of(error);
  return text == nullptr ? unrecognized_code : text->description;
}

CONVOY_EXPORT cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return runtime_call(__func__, [&]() -> call_status {
    if (driverVersion == nullptr) return cudaErrorInvalidValue;
    *driverVersion = driver_version;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return runtime_call(__func__, [&]() -> call_status {
    if (runtimeVersion == nullptr) return cudaErrorInvalidValue;
    *runtimeVersion = CUDART_VERSION;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                                   cudaLogsCallbackHandle* callback_out) {
  return runtime_call(__func__, [&]() -> call_status {
    if (callbackFunc == nullptr) return cudaErrorInvalidValue;
    const auto key = add_log_callback(
        [callbackFunc](void* context, int level, char* message, std::size_t length) {
          callbackFunc(context, static_cast<cudaLogLevel>(level), message, length);
        },
        userData);
    if (callback_out != nullptr) *callback_out = reinterpret_cast<cudaLogsCallbackHandle>(key);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return runtime_call(__func__, [&]() -> call_status {
    return remove_log_callback(reinterpret_cast<std::uint64_t>(callback)) ? cudaSuccess
                                                                          : cudaErrorInvalidValue;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (iterator_out == nullptr || flags != 0) return cudaErrorInvalidValue;
    *iterator_out = next_log_entry();
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile,
                                             unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pathToFile == nullptr || flags != 0) return cudaErrorInvalidValue;
    std::FILE* const file = std::fopen(pathToFile, "ae");
    if (file == nullptr) return cudaErrorInvalidValue;
    std::fputs(read_log(iterator, SIZE_MAX).c_str(), file);
    std::fclose(file);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer,
                                               size_t* size, unsigned int flags) {
  return runtime_call(__func__, [&]() -> call_status {
    if (buffer == nullptr || size == nullptr || flags != 0 || *size < min_log_buffer) {
      return cudaErrorInvalidValue;
    }
    const std::string text = read_log(iterator, *size - 1);
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    return cudaSuccess;
  });
}

}  // extern "C"
