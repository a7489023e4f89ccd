// What a thread keeps between calls: its contexts, its device, its last error.
//
// Nothing here needs a destructor, so calls from the last moments of a thread or of the process
// still find it.
#pragma once

#include <array>
#include <convoy/ids.hpp>
#include <cstddef>

#include "types/errors.h"

namespace convoy::cuda {

struct context;

struct thread_state {
  static constexpr std::size_t max_depth = 128;

  std::array<context*, max_depth> stack = {};
  std::size_t depth = 0;
  device_id runtime_device = {};         // for the runtime, while no context is current
  cudaError_t last_error = cudaSuccess;  // of the runtime
  int capture_mode = 0;                  // what the thread may do while streams capture
  bool in_host_function = false;         // a stream has it run a function of the program's
};

inline thread_state& this_thread() noexcept {
  static thread_local constinit thread_state state;
  return state;
}

// Runs a function of the program's for a stream.
template <class Function>
void run_host_function(const Function& function) {
  struct scope {
    scope() noexcept { this_thread().in_host_function = true; }
    ~scope() { this_thread().in_host_function = false; }
  } const running;
  function();
}

// Asked before a call waits: cudaErrorNotPermitted in a host function, which could wait for itself.
inline cudaError_t check_may_wait() noexcept {
  return this_thread().in_host_function ? cudaErrorNotPermitted : cudaSuccess;
}

}  // namespace convoy::cuda
