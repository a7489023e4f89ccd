// The state of a thread between calls: its contexts, its device, its last error.
//
// The state has no destructor, so calls in thread-local and static destructors can still use it.
#pragma once

#include <array>
#include <cstddef>

#include "types/errors.h"

namespace convoy::cuda {

struct context;

struct thread_state {
  static constexpr std::size_t max_depth = 128;

  std::array<context*, max_depth> stack = {};
  std::size_t depth = 0;
  int runtime_ordinal = 0;               // of the runtime, while no context is current
  cudaError_t last_error = cudaSuccess;  // of the runtime
  int capture_mode = 0;                  // a CUstreamCaptureMode
  bool in_host_function = false;         // the thread runs a host function of a stream
};

extern constinit thread_local thread_state thread_state_in_use;
inline thread_state& this_thread() noexcept { return thread_state_in_use; }

// Runs a host function of a stream.
template <class Function>
void run_host_function(const Function& function) {
  struct scope {
    scope() noexcept { this_thread().in_host_function = true; }
    ~scope() { this_thread().in_host_function = false; }
  } const running;
  function();
}

// Returns cudaErrorNotPermitted in a host function: a call that waits could wait for itself.
inline cudaError_t check_may_wait() noexcept {
  return this_thread().in_host_function ? cudaErrorNotPermitted : cudaSuccess;
}

}  // namespace convoy::cuda
