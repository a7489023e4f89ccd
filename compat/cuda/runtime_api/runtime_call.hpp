// What every exported function of the runtime goes through.
//
// The body answers a call_status. runtime_call() turns it into a code, keeps an error for
// cudaGetLastError(), and logs the message that goes with it. "Not ready" is no error.
#pragma once

#include <convoy/export.hpp>
#include <new>

#include "state/call_status.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// Keeps an error for cudaGetLastError(), logs it, and answers its code.
cudaError_t record_error(const char* function, const call_status& error) noexcept;

template <class Body>
cudaError_t runtime_call(const char* function, const Body& body) noexcept {
  try {
    const call_status answer = body();
    return answer.ok() ? cudaSuccess : record_error(function, answer);
  } catch (const std::bad_alloc&) {
    return record_error(function, cudaErrorMemoryAllocation);
  }
}

// The body is given the current device, whose context is made current first.
template <class Body>
cudaError_t on_current_device(const char* function, const Body& body) noexcept {
  return runtime_call(function, [&]() -> call_status {
    const auto device = enter_runtime_device();
    return device ? call_status(body(*device)) : call_status(device);
  });
}

}  // namespace convoy::cuda
