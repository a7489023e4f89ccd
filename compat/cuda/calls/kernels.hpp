// Kernels by name and by the stub of the host that launches them, and the functions that run them.
//
// Stubs are registered by modules of programs, before main and in any order; functions by whoever
// has them. The two meet at the launch.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy_kernels.h"
#include "state/call_status.hpp"
#include "state/handles.hpp"

namespace convoy::cuda {

// The name under which a kernel is known. Never deleted while its module is there.
struct kernel;

// `module` is any address that tells modules apart.
void add_kernel(const void* module, const void* stub, const char* name);
void remove_kernels(const void* module);

// By its stub or by its own address; null when it is neither.
const kernel* find_kernel(const void* stub_or_kernel);
const char* name_of(const kernel& known);

// A kernel known by its name alone, as modules loaded at run time have them.
const kernel* kernel_named(const char* name);

call_status set_function(const char* name, convoy_kernel_function function,
                         const std::size_t* sizes, std::size_t parameters);

struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

// Copies the parameters and puts the function into the stream.
call_status launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
                   void* const* parameters);

}  // namespace convoy::cuda
