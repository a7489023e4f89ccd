// The wrapper of every exported function of the runtime.
//
// The body returns a call_status. runtime_call() initializes the driver first if necessary. It
// turns the status into an error code, stores an error for cudaGetLastError() and logs it.
// cudaErrorNotReady is neither stored nor logged.
#pragma once

#include <convoy/api_function.hpp>
#include <convoy/export.hpp>
#include <new>

#include "state/call_status.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// Stores an error for cudaGetLastError(), logs it, and returns its code.
cudaError_t record_error(const char* function, const call_status& error) noexcept;

// For functions that need no driver, and so no device.
template <class Body>
cudaError_t call_without_driver(const char* function, const Body& body) noexcept {
  const scoped_api_function named(function);
  try {
    const call_status s = body();
    return s.ok() ? cudaSuccess : record_error(function, s);
  } catch (const std::bad_alloc&) {
    return record_error(function, cudaErrorMemoryAllocation);
  }
}

template <class Body>
cudaError_t runtime_call(const char* function, const Body& body) noexcept {
  return call_without_driver(function, [&]() -> call_status {
    if (!driver_initialized()) [[unlikely]] {
      if (const call_status s = initialize_driver(); !s.ok()) return s;
    }
    return body();
  });
}

// Makes a context of the current device current and passes the device to the body.
template <class Body>
cudaError_t on_current_device(const char* function, const Body& body) noexcept {
  return runtime_call(function, [&]() -> call_status {
    const auto device = enter_runtime_device();
    return device ? call_status(body(*device)) : call_status(device);
  });
}

}  // namespace convoy::cuda
