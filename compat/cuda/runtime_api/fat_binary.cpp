// The functions that programs built by nvcc call before and after main, and for <<<...>>>.
//
// Static constructors of the program may call before those of this library have run. The functions
// construct what they need on first use and do not start the engine.
#include <cuda_runtime_api.h>

#include "calls/kernels.hpp"
#include "calls/launch_configurations.hpp"
#include "calls/variables.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

extern "C" {

// The handle of a module is a unique address.
CONVOY_EXPORT void** __cudaRegisterFatBinary(void*) {
  return static_cast<void**>(::operator new(sizeof(void*)));
}

CONVOY_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

CONVOY_EXPORT void __cudaUnregisterFatBinary(void** fatCubinHandle) {
  remove_kernels(fatCubinHandle);
  remove_variables(fatCubinHandle);
  ::operator delete(fatCubinHandle);
}

CONVOY_EXPORT char __cudaInitModule(void** fatCubinHandle) {
  return call_without_driver(__func__, [&] { return initialize_module(fatCubinHandle); }) ==
                 cudaSuccess
             ? 1
             : 0;
}

CONVOY_EXPORT void __cudaRegisterFunction(void** fatCubinHandle, const char* hostFun, char*,
                                          const char* deviceName, int, uint3*, uint3*, dim3*, dim3*,
                                          int*) {
  if (deviceName != nullptr) add_kernel(fatCubinHandle, hostFun, deviceName);
}

CONVOY_EXPORT void __cudaRegisterVar(void** fatCubinHandle, char* hostVar, char*,
                                     const char* deviceName, int, size_t size, int, int) {
  if (deviceName != nullptr) add_variable(fatCubinHandle, hostVar, deviceName, size);
}

CONVOY_EXPORT void __cudaRegisterManagedVar(void** fatCubinHandle, void** hostVarPtrAddress, char*,
                                            const char* deviceName, int, size_t size, int, int) {
  if (hostVarPtrAddress == nullptr || deviceName == nullptr) return;
  add_managed_variable(fatCubinHandle, hostVarPtrAddress, deviceName, size);
}

// Device code can access host variables directly, so there is nothing to register.
CONVOY_EXPORT void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
CONVOY_EXPORT void __cudaRegisterUnifiedTable(void**, void*) {}

CONVOY_EXPORT unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                                   cudaStream_t stream) {
  const bool pushed = push_configuration({{gridDim, blockDim, sharedMem}, stream});
  return pushed ? cudaSuccess : cudaErrorMemoryAllocation;
}

CONVOY_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim,
                                                     size_t* sharedMem, void* stream) {
  return call_without_driver(__func__, [&]() -> call_status {
    if (gridDim == nullptr || blockDim == nullptr || sharedMem == nullptr || stream == nullptr) {
      return cudaErrorInvalidValue;
    }
    launch_configuration top;
    if (!pop_configuration(&top)) return cudaErrorMissingConfiguration;
    *gridDim = top.shape.grid;
    *blockDim = top.shape.block;
    *sharedMem = top.shape.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* hostFun) {
  return cudaGetKernel(kernel, hostFun);
}

CONVOY_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                             void** args, size_t sharedMem, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), gridDim, blockDim, args, sharedMem,
                          stream);
}

CONVOY_EXPORT cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                                  void** args, size_t sharedMem,
                                                  cudaStream_t stream) {
  return __cudaLaunchKernel(kernel, gridDim, blockDim, args, sharedMem, per_thread(stream));
}

}  // extern "C"
