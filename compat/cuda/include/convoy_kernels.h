/* Host functions for kernels.
 *
 * A program, or a plug-in that it loads, registers a host function for a kernel under the kernel's
 * mangled name. A launch of that kernel copies its parameters and runs the function once, in stream
 * order, on one of Convoy's threads. The function does the work of the whole grid and must not call
 * CUDA. A launch of a kernel without a function returns cudaErrorInvalidDeviceFunction, and the log
 * names the kernel.
 *
 * With CONVOY_ISOLATE=1 the function cannot access device memory. */
#ifndef CONVOY_COMPAT_CUDA_KERNELS_H
#define CONVOY_COMPAT_CUDA_KERNELS_H

#include <driver_types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct convoy_kernel_launch {
  void* const* parameters; /* pointers to the copies of the parameters */
  struct uint3 grid;
  struct uint3 block;
  size_t shared_bytes;
};

typedef void (*convoy_kernel_function)(const struct convoy_kernel_launch* launch);

/* `sizes` holds the size of each parameter in bytes. A second function for a name replaces the
 * first; a null function removes it. Launches already enqueued keep their function. */
cudaError_t convoy_set_kernel(const char* mangled_name, convoy_kernel_function function,
                              const size_t* sizes, size_t parameters);

#ifdef __cplusplus
}
#endif

#endif
