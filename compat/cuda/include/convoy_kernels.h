/* Host functions for kernels. docs/kernels.md is the guide.
 *
 * A program, or a plug-in named in CONVOY_KERNELS, registers a host function for a kernel. A launch
 * of the kernel copies its parameters and runs the function once, in stream order, on one of
 * Convoy's threads. The function does the work of the whole grid. It must not call CUDA.
 *
 * With CONVOY_ISOLATE=1 device memory is not accessible at the addresses that programs have. The
 * function gets accessible addresses for the parameters declared as pointers; for a pointer that it
 * finds elsewhere, in a structure or in memory, it calls convoy_kernel_pointer(). */
#ifndef CONVOY_COMPAT_CUDA_KERNELS_H
#define CONVOY_COMPAT_CUDA_KERNELS_H

#include <driver_types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A launch, valid until the function returns. */
struct convoy_kernel_launch {
  void* const* parameters; /* pointers to the copies of the parameters */
  struct uint3 grid;
  struct uint3 block;
  size_t shared_bytes;
  size_t parameter_count;
  const char* name; /* of the kernel, mangled */
  void* user;       /* from the registration */
  void* (*translate)(const void* pointer);
};

/* The address at which the function can access what a pointer of the program points to. Other
 * addresses than those of device memory are returned as they are. */
static inline void* convoy_kernel_pointer(const struct convoy_kernel_launch* launch,
                                          const void* pointer) {
  return launch->translate(pointer);
}

typedef void (*convoy_kernel_function)(const struct convoy_kernel_launch* launch);

/* What the function does with a parameter. */
enum convoy_kernel_access {
  convoy_kernel_value = 0,      /* uses its bytes, which are passed as they are */
  convoy_kernel_pointer_to = 1, /* a pointer; what is accessed is not declared */
  convoy_kernel_reads = 2,      /* a pointer to memory that is only read */
  convoy_kernel_writes = 3,     /* a pointer to memory that is only written */
  convoy_kernel_reads_and_writes = 4
};

struct convoy_kernel_parameter {
  size_t bytes; /* sizeof the parameter; of a pointer sizeof(void*) */
  enum convoy_kernel_access access;
};

/* The number of bytes that a launch accesses from a pointer parameter on. Called by the launch, on
 * its thread, for each parameter that is read or written; the memory itself has no defined content
 * at that time and must not be accessed. 0: none, or not known. */
typedef size_t (*convoy_kernel_extent)(const struct convoy_kernel_launch* launch, size_t parameter);

struct convoy_kernel {
  /* The kernel's mangled name, its demangled name as c++filt prints it, or a pattern, in which `*`
   * stands for any characters, also none. */
  const char* name;
  convoy_kernel_function function;
  const struct convoy_kernel_parameter* parameters;
  size_t parameter_count;
  convoy_kernel_extent extent; /* may be null: no range is known */
  void* user;
};

/* Registers a function; the structure and its arrays may be freed on return. A launch takes the
 * function of the mangled name, else that of the demangled name, else that of the pattern that was
 * registered first among those that match either. A second registration of the same text replaces
 * the first in its place; one with a null function removes it. Launches that are enqueued keep
 * their function. Any thread may call at any time. Answers cudaErrorInvalidValue for a null or
 * empty name, for parameters without an array, an unknown access, a pointer of another size, and
 * parameters of more than 32764 bytes together, CUDA's limit.
 *
 * A launch is refused with cudaErrorIllegalAddress if a range that is read or written does not lie
 * inside one live allocation. */
cudaError_t convoy_add_kernel(const struct convoy_kernel* kernel);

/* The same with all parameters as values; `sizes` holds the size of each in bytes. */
cudaError_t convoy_set_kernel(const char* name, convoy_kernel_function function,
                              const size_t* sizes, size_t parameters);

/* A plug-in is a shared object that exports this function. Convoy calls it once, at the first call
 * of CUDA. It calls `add`, which is convoy_add_kernel(), for each kernel, and returns null or a
 * sentence that tells why it cannot work; CUDA's calls then answer cudaErrorInitializationError. A
 * plug-in needs to be linked with no library of CUDA. */
typedef cudaError_t (*convoy_add_kernel_function)(const struct convoy_kernel* kernel);
__attribute__((visibility("default"))) const char* convoy_kernels_v1(
    convoy_add_kernel_function add);

#ifdef __cplusplus
}
#endif

#endif
