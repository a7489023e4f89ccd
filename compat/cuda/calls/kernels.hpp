// The registry of kernels, their host stubs, and the host functions that run in their place.
//
// The program's modules register stubs before main, in any order; programs and plug-ins register
// host functions at any time. A launch looks up both.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy_kernels.h"
#include "state/call_status.hpp"
#include "state/handles.hpp"

namespace convoy::cuda {

// A kernel, identified by its mangled name. Never deleted.
struct kernel;

// `module` is an address that is unique to the module.
void add_kernel(const void* module, const void* stub, const char* name);
void remove_kernels(const void* module);

// Finds a kernel by its stub or its handle; null if the address is neither.
const kernel* find_kernel(const void* stub_or_kernel);
const char* name_of(const kernel& known);

call_status set_function(const char* name, convoy_kernel_function function,
                         const std::size_t* sizes, std::size_t parameters);

struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

// Copies the parameters and enqueues the kernel's host function.
call_status launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
                   void* const* parameters);

}  // namespace convoy::cuda
