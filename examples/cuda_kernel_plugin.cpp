// g++ -std=c++17 -shared -fPIC $(pkg-config --cflags convoy-cudart) cuda_kernel_plugin.cpp
//     -o cuda_kernel_plugin.so
//
// A plug-in with the host function for the kernel of examples/cuda_kernel.cpp.
#include <convoy_kernels.h>

namespace {

// Does the work of the whole grid. The first parameter is declared as a pointer, so the address is
// one that host code can access.
void scale(const convoy_kernel_launch* launch) {
  float* const numbers = *static_cast<float**>(launch->parameters[0]);
  const unsigned count = *static_cast<unsigned*>(launch->parameters[1]);
  const float factor = *static_cast<float*>(launch->parameters[2]);
  for (unsigned i = 0; i != count; ++i) numbers[i] *= factor;
}

// The number of bytes that a launch accesses from its pointer on.
size_t extent_of_scale(const convoy_kernel_launch* launch, size_t /*parameter*/) {
  return *static_cast<unsigned*>(launch->parameters[1]) * sizeof(float);
}

constexpr convoy_kernel_parameter parameters[] = {{sizeof(float*), convoy_kernel_reads_and_writes},
                                                  {sizeof(unsigned), convoy_kernel_value},
                                                  {sizeof(float), convoy_kernel_value}};

}  // namespace

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function add) {
  const convoy_kernel kernel{"scale", scale, parameters, 3, extent_of_scale, nullptr};
  return add(&kernel) == cudaSuccess ? nullptr : "the kernel scale cannot be registered";
}
