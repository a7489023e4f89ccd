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

#include "state/call_status.hpp"
#include "state/context.hpp"
#include "state/handles.hpp"

namespace convoy::cuda {

// Notes a refusal and answers its code. Codes that only the runtime has become INVALID_VALUE.
CUresult log_driver_error(const char* function, const call_status& error) noexcept;

// The device of the current context. Without one the answer is cudaErrorDeviceUninitialized, which
// the driver calls INVALID_CONTEXT.
call_status find_current(device_id* device) noexcept;

// A handle that never was one is cudaErrorDeviceUninitialized, which the driver calls
// INVALID_CONTEXT; an ended context is cudaErrorContextIsDestroyed.
call_status find_context(CUcontext handle, context** found);

template <class Body>
call_status with_context(CUcontext handle, const Body& body) {
  context* found = nullptr;
  if (const call_status s = find_context(handle, &found); !s.ok()) return s;
  return body(*found);
}

template <class Body>
CUresult driver_call(const char* function, const Body& body) noexcept {
  try {
    const call_status answer =
        driver_initialized() ? call_status(body()) : call_status(cudaErrorInitializationError);
    return answer.ok() ? CUDA_SUCCESS : log_driver_error(function, answer);
  } catch (const std::bad_alloc&) {
    return log_driver_error(function, cudaErrorMemoryAllocation);
  }
}

// The body is given the device of the current context.
template <class Body>
CUresult in_context(const char* function, const Body& body) noexcept {
  return driver_call(function, [&]() -> call_status {
    device_id current{};
    if (const call_status s = find_current(&current); !s.ok()) return s;
    return body(current);
  });
}

// Only the default streams are those of the current context and need one.
template <class Body>
CUresult in_stream(const char* function, CUstream stream, const Body& body) noexcept {
  return driver_call(function, [&]() -> call_status {
    device_id current{};
    const call_status found =
        is_default(stream) ? find_current(&current) : call_status(cudaSuccess);
    return found.ok() ? call_status(body()) : found;
  });
}

}  // namespace convoy::cuda
