// Launches of kernels, which run host functions.
#pragma once

#include <cstddef>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "state/kernel_registry.hpp"

namespace convoy::cuda {

struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

// Copies the parameters and enqueues the kernel's host function.
call_status launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
                   void* const* parameters);

// True for a kernel that a launch would skip.
bool is_skipped(const void* stub_or_kernel);

}  // namespace convoy::cuda
