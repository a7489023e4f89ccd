// A plug-in that ignores the refusal of its kernel.
#include <convoy_kernels.h>

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function add) {
  static constexpr convoy_kernel_parameter half = {4, convoy_kernel_writes};
  const convoy_kernel kernel{"half", [](const convoy_kernel_launch*) {}, &half, 1, nullptr,
                             nullptr};
  add(&kernel);
  return nullptr;
}
