// nvml_call() runs the body of the exported functions.
//
// It refuses calls before nvmlInit(), converts std::bad_alloc, names the function for observers and
// reports refusals to them. No exception leaves the library.
#pragma once

#include <nvml.h>

#include <convoy/api_function.hpp>
#include <convoy/export.hpp>
#include <new>

#include "calls/devices.hpp"
#include "state/library.hpp"

namespace convoy::nvml {

// For the functions that work before nvmlInit().
template <class Body>
nvmlReturn_t free_call(const char* function, const Body& body) noexcept {
  const scoped_api_function named(function);
  nvmlReturn_t code = NVML_ERROR_MEMORY;
  try {
    code = body();
  } catch (const std::bad_alloc&) {
    // Out of host memory.
  }
  if (code != NVML_SUCCESS) report_refused_call(function, refusal_of(code));
  return code;
}

template <class Body>
nvmlReturn_t nvml_call(const char* function, const Body& body) noexcept {
  return free_call(function,
                   [&]() -> nvmlReturn_t { return in_use() ? body() : NVML_ERROR_UNINITIALIZED; });
}

// Passes the device with this handle to the body.
template <class Body>
nvmlReturn_t device_call(const char* function, nvmlDevice_t handle, const Body& body) noexcept {
  return nvml_call(function, [&] { return with_device(handle, body); });
}

}  // namespace convoy::nvml
