// Errors, versions, and the log of refusals.
#include <cuda_runtime_api.h>

#include <utility>

#include "runtime/border.hpp"
#include "state/refusals.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetLastError() {
  return std::exchange(this_thread().last_error, cudaSuccess);
}

CONVOY_EXPORT cudaError_t cudaPeekAtLastError() { return this_thread().last_error; }

CONVOY_EXPORT const char* cudaGetErrorName(cudaError_t error) {
  const error_words* const words = words_of(error);
  return words == nullptr ? "unrecognized error code" : words->runtime_name;
}

CONVOY_EXPORT const char* cudaGetErrorString(cudaError_t error) {
  const error_words* const words = words_of(error);
  return words == nullptr ? "unrecognized error code" : words->sentence;
}

}  // extern "C"
