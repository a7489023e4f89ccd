// The wrappers of every exported function of the driver.
//
// The body returns a call_status, which the wrapper turns into the driver's error code and logs.
// The body does not run before cuInit(), nor without an active current context if it needs one. The
// driver stores no last error and never makes a context current on its own.
#pragma once

#include <cuda.h>

#include <convoy/api_function.hpp>
#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <new>

#include "state/call_status.hpp"
#include "state/context.hpp"
#include "state/handles.hpp"

namespace convoy::cuda {

// Logs an error and returns the driver's code; codes that only the runtime has become
// INVALID_VALUE. CUDA_ERROR_NOT_READY is not logged.
CUresult log_driver_error(const char* function, const call_status& error) noexcept;

// Finds the device of the current context. Returns cudaErrorDeviceUninitialized, which is the
// driver's INVALID_CONTEXT, if there is none.
call_status find_current(device_id* device) noexcept;

// Finds the context with this handle. Returns cudaErrorDeviceUninitialized (INVALID_CONTEXT) for an
// unknown handle and cudaErrorContextIsDestroyed for a destroyed context.
call_status find_context(CUcontext handle, context** found);

template <class Body>
call_status with_context(CUcontext handle, const Body& body) {
  context* found = nullptr;
  if (const call_status s = find_context(handle, &found); !s.ok()) return s;
  return body(*found);
}

template <class Body>
CUresult driver_call(const char* function, const Body& body) noexcept {
  const scoped_api_function named(function);
  try {
    const call_status s =
        driver_initialized() ? call_status(body()) : call_status(cudaErrorInitializationError);
    return s.ok() ? CUDA_SUCCESS : log_driver_error(function, s);
  } catch (const std::bad_alloc&) {
    return log_driver_error(function, cudaErrorMemoryAllocation);
  }
}

// Passes the device of the current context to the body; fails without one.
template <class Body>
CUresult in_context(const char* function, const Body& body) noexcept {
  return driver_call(function, [&]() -> call_status {
    device_id current{};
    if (const call_status s = find_current(&current); !s.ok()) return s;
    return body(current);
  });
}

// Requires a current context for default streams only; other streams have their own.
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
