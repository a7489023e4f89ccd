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
  static constexpr std::size_t deepest = 128;

  std::array<context*, deepest> stack = {};
  std::size_t depth = 0;
  device_id chosen = {};                 // for the runtime, while no context is current
  cudaError_t last_error = cudaSuccess;  // of the runtime
  int capture_mode = 0;                  // what the thread may do while streams capture
};

thread_state& this_thread() noexcept;

}  // namespace convoy::cuda
