// A plug-in that works: the kernel `scale` multiplies numbers in device memory.
#include <convoy_kernels.h>

namespace {

constexpr convoy_kernel_parameter parameters[] = {{sizeof(int*), convoy_kernel_reads_and_writes},
                                                  {sizeof(int), convoy_kernel_value},
                                                  {sizeof(int), convoy_kernel_value}};

void scale(const convoy_kernel_launch* launch) {
  int* const numbers = *static_cast<int**>(launch->parameters[0]);
  const int count = *static_cast<int*>(launch->parameters[1]);
  const int factor = *static_cast<int*>(launch->parameters[2]);
  for (int i = 0; i != count; ++i) numbers[i] *= factor;
}

}  // namespace

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function add) {
  const convoy_kernel kernel{"scale*", scale, parameters, 3, nullptr, nullptr};
  return add(&kernel) == cudaSuccess ? nullptr : "scale cannot be registered";
}
