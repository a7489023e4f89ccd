/* Kernels that run on the host.
 *
 * A program, or a plug-in that it loads, gives a function of the host for a kernel, by the name the
 * kernel has after mangling. A launch of that kernel then copies its parameters and runs the
 * function once, in stream order, on a thread of Convoy's; the function does the work of the whole
 * grid and must not call CUDA. Launching a kernel without a function answers
 * cudaErrorInvalidDeviceFunction, and the log names the kernel.
 *
 * Device memory is out of the function's reach with CONVOY_ISOLATE=1. */
#ifndef CONVOY_COMPAT_CUDA_KERNELS_H
#define CONVOY_COMPAT_CUDA_KERNELS_H

#include <driver_types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct convoy_kernel_launch {
  void* const* parameters; /* where the copy of each parameter is */
  struct uint3 grid;
  struct uint3 block;
  size_t shared_bytes;
};

typedef void (*convoy_kernel_function)(const struct convoy_kernel_launch* launch);

/* `sizes` has the bytes of each parameter. A second function for a name replaces the first; a null
 * one takes it away. Launches under way keep what they have. */
cudaError_t convoy_set_kernel(const char* mangled_name, convoy_kernel_function function,
                              const size_t* sizes, size_t parameters);

#ifdef __cplusplus
}
#endif

#endif
