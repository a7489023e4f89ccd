// Errors, versions, and the log of what was refused.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "calls/devices.hpp"
#include "runtime_api/border.hpp"
#include "state/refusals.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

namespace {

constexpr const char* no_such_code = "unrecognized error code";
constexpr std::size_t least_log_buffer = 2;

// The sentences since the iterator, or all, for a reader that takes `most` bytes.
std::string read_log(cudaLogIterator* iterator, std::size_t most) {
  std::string text = refusals_since(iterator == nullptr ? 0 : *iterator, most);
  if (iterator != nullptr) *iterator = next_refusal();
  return text;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetLastError() {
  return std::exchange(this_thread().last_error, cudaSuccess);
}

CONVOY_EXPORT cudaError_t cudaPeekAtLastError() { return this_thread().last_error; }

CONVOY_EXPORT const char* cudaGetErrorName(cudaError_t error) {
  const error_words* const words = words_of(error);
  return words == nullptr ? no_such_code : words->runtime_name;
}

CONVOY_EXPORT const char* cudaGetErrorString(cudaError_t error) {
  const error_words* const words = words_of(error);
  return words == nullptr ? no_such_code : words->sentence;
}

CONVOY_EXPORT cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return border(__func__, [&]() -> outcome {
    if (driverVersion == nullptr) return cudaErrorInvalidValue;
    *driverVersion = driver_version;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return border(__func__, [&]() -> outcome {
    if (runtimeVersion == nullptr) return cudaErrorInvalidValue;
    *runtimeVersion = CUDART_VERSION;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                                   cudaLogsCallbackHandle* callback_out) {
  return border(__func__, [&]() -> outcome {
    if (callbackFunc == nullptr) return cudaErrorInvalidValue;
    const auto key = add_listener(
        [callbackFunc](void* context, int level, char* sentence, std::size_t length) {
          callbackFunc(context, static_cast<cudaLogLevel>(level), sentence, length);
        },
        userData);
    if (callback_out != nullptr) *callback_out = reinterpret_cast<cudaLogsCallbackHandle>(key);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return border(__func__, [&]() -> outcome {
    return forget_listener(reinterpret_cast<std::uint64_t>(callback)) ? cudaSuccess
                                                                      : cudaErrorInvalidValue;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
  return border(__func__, [&]() -> outcome {
    if (iterator_out == nullptr || flags != 0) return cudaErrorInvalidValue;
    *iterator_out = next_refusal();
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile,
                                             unsigned int flags) {
  return border(__func__, [&]() -> outcome {
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
  return border(__func__, [&]() -> outcome {
    if (buffer == nullptr || size == nullptr || flags != 0 || *size < least_log_buffer) {
      return cudaErrorInvalidValue;
    }
    const std::string text = read_log(iterator, *size - 1);
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    return cudaSuccess;
  });
}

}  // extern "C"
