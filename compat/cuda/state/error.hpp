// The one translation of Convoy's outcomes into CUDA's codes, and the words for every code.
//
// Runtime and driver give the same number the same meaning, so the driver casts what it gets here.
#pragma once

#include <convoy/status.hpp>

#include "types/errors.h"

namespace convoy::cuda {

cudaError_t to_cuda(errc code) noexcept;

struct error_text {
  int code = 0;
  const char* runtime_name = nullptr;
  const char* driver_name = nullptr;  // null when the driver has no such code
  const char* description = nullptr;
};

inline constexpr const char* unrecognized_code = "unrecognized error code";

// Null for a number that is no code.
const error_text* error_text_of(int code) noexcept;

}  // namespace convoy::cuda
