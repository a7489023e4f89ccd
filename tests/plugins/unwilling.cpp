// A plug-in that tells why it cannot be used.
#include <convoy_kernels.h>

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function) {
  return "the model is not installed";
}
