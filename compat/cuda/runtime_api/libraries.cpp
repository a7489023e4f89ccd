// Libraries that programs load at run time, and their kernels by name.
#include <cuda_runtime_api.h>

#include "calls/modules.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code,
                                              cudaJitOption*, void**, unsigned int,
                                              cudaLibraryOption*, void**, unsigned int) {
  return runtime_call(__func__,
                      [&] { return load_module(code, reinterpret_cast<void**>(library)); });
}

CONVOY_EXPORT cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName,
                                                  cudaJitOption*, void**, unsigned int,
                                                  cudaLibraryOption*, void**, unsigned int) {
  return runtime_call(
      __func__, [&] { return load_module_file(fileName, reinterpret_cast<void**>(library)); });
}

CONVOY_EXPORT cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return runtime_call(__func__, [&] { return unload_module(library); });
}

CONVOY_EXPORT cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library,
                                               const char* name) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pKernel == nullptr) return cudaErrorInvalidValue;
    const kernel* found = nullptr;
    if (const call_status s = find_in_module(library, name, &found); !s.ok()) return s;
    *pKernel = reinterpret_cast<cudaKernel_t>(const_cast<kernel*>(found));
    return cudaSuccess;
  });
}

}  // extern "C"
