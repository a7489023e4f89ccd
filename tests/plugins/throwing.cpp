// A plug-in that throws.
#include <convoy_kernels.h>

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function) { throw 1; }
