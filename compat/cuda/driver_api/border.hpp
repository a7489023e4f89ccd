// What every exported function of the driver goes through.
//
// The body answers an outcome, which the border turns into a code of the driver's and a sentence.
// It does not run before cuInit(), nor without a live current context where it needs one. The
// driver keeps no last error, and it never makes a context current that the program did not.
#pragma once

#include <cuda.h>

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <new>

#include "state/context.hpp"
#include "state/handles.hpp"
#include "state/outcome.hpp"

namespace convoy::cuda {

// Notes a refusal and answers its code. Codes that only the runtime has become INVALID_VALUE.
CUresult refuse(const char* function, const outcome& why) noexcept;

// The device of the current context. Without one the answer is cudaErrorDeviceUninitialized, which
// the driver calls INVALID_CONTEXT.
outcome find_current(device_id* on) noexcept;

template <class Body>
CUresult border(const char* function, const Body& body) noexcept {
  try {
    const outcome answer = started() ? outcome(body()) : outcome(cudaErrorInitializationError);
    return answer.ok() ? CUDA_SUCCESS : refuse(function, answer);
  } catch (const std::bad_alloc&) {
    return refuse(function, cudaErrorMemoryAllocation);
  }
}

// The body is given the device of the current context.
template <class Body>
CUresult in_context(const char* function, const Body& body) noexcept {
  return border(function, [&]() -> outcome {
    device_id on{};
    if (const outcome o = find_current(&on); !o.ok()) return o;
    return body(on);
  });
}

// Only the default streams are those of the current context and need one.
template <class Body>
CUresult in_stream(const char* function, CUstream stream, const Body& body) noexcept {
  return border(function, [&]() -> outcome {
    device_id on{};
    const outcome found = is_default(stream) ? find_current(&on) : outcome(cudaSuccess);
    return found.ok() ? outcome(body()) : found;
  });
}

}  // namespace convoy::cuda
