// The launch configurations of a thread: <<<...>>> pushes one, and the kernel's stub pops it.
#pragma once

#include "calls/kernels.hpp"

namespace convoy::cuda {

struct launch_configuration {
  launch_shape shape;
  cudaStream_t stream = nullptr;
};

// Returns false if the thread has pushed too many.
bool push_configuration(const launch_configuration& pushed) noexcept;

// Returns false if there is none.
bool pop_configuration(launch_configuration* popped) noexcept;

}  // namespace convoy::cuda
