// A plug-in that calls CUDA while it is loaded.
#include <convoy_kernels.h>
#include <dlfcn.h>

extern "C" const char* convoy_kernels_v1(convoy_add_kernel_function) {
  const auto count_devices =
      reinterpret_cast<cudaError_t (*)(int*)>(::dlsym(RTLD_DEFAULT, "cudaGetDeviceCount"));
  int count = 0;
  return count_devices(&count) == cudaSuccess ? "CUDA answered" : "CUDA refused";
}
