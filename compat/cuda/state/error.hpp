// The translation of the engine's error codes into CUDA's, and the texts of every CUDA error code.
//
// The runtime and the driver use the same numbers, so the driver casts the runtime's codes.
#pragma once

#include <convoy/status.hpp>

#include "types/errors.h"

namespace convoy::cuda {

cudaError_t to_cuda(errc code) noexcept;

struct error_text {
  int code = 0;
  const char* runtime_name = nullptr;  // null if the runtime has no such code
  const char* driver_name = nullptr;   // null if the driver has no such code
  const char* description = nullptr;
};

inline constexpr const char* unrecognized_code = "unrecognized error code";

// Returns null if no error has this number.
const error_text* error_text_of(int code) noexcept;

}  // namespace convoy::cuda
