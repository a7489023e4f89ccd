// Kernel launches, kernel attributes, and registration of host functions for kernels.
#include "calls/kernels.hpp"

#include <cuda_runtime_api.h>

#include <vector>

#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

namespace {

constexpr int max_threads_per_block = 1024;

// The handle of a kernel is its address.
cudaKernel_t handle_of(const kernel* known) {
  return reinterpret_cast<cudaKernel_t>(const_cast<kernel*>(known));
}

call_status check_kernel(const void* func) {
  return find_kernel(func) == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t convoy_add_kernel(const struct convoy_kernel* kernel) {
  return call_without_driver(__func__, [&]() -> call_status {
    return kernel == nullptr ? cudaErrorInvalidValue : add_host_function(*kernel);
  });
}

CONVOY_EXPORT cudaError_t convoy_set_kernel(const char* name, convoy_kernel_function function,
                                            const size_t* sizes, size_t parameters) {
  return call_without_driver(__func__, [&]() -> call_status {
    if (sizes == nullptr && parameters != 0) return cudaErrorInvalidValue;
    std::vector<convoy_kernel_parameter> values;
    for (size_t i = 0; i != parameters; ++i) values.push_back({sizes[i], convoy_kernel_value});
    return add_host_function(
        {name, function, values.data(), values.size(), /*extent=*/nullptr, /*user=*/nullptr});
  });
}

CONVOY_EXPORT cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim,
                                           void** args, size_t sharedMem, cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return launch(stream, func, {gridDim, blockDim, sharedMem}, args);
  });
}

CONVOY_EXPORT cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim,
                                                      void** args, size_t sharedMem,
                                                      cudaStream_t stream) {
  return cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, stream);
}

CONVOY_EXPORT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func,
                                              void** args) {
  return runtime_call(__func__, [&]() -> call_status {
    if (config == nullptr) return cudaErrorInvalidValue;
    const launch_shape shape{config->gridDim, config->blockDim, config->dynamicSmemBytes};
    return launch(config->stream, func, shape, args);
  });
}

CONVOY_EXPORT cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config,
                                                   const void* func, void** args) {
  if (config == nullptr) return cudaLaunchKernelExC(config, func, args);
  cudaLaunchConfig_t own = *config;
  own.stream = per_thread(own.stream);
  return cudaLaunchKernelExC(&own, func, args);
}

CONVOY_EXPORT cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  return runtime_call(__func__, [&]() -> call_status {
    if (attr == nullptr) return cudaErrorInvalidValue;
    if (const call_status s = check_kernel(func); !s.ok()) return s;
    *attr = {};
    attr->maxThreadsPerBlock = max_threads_per_block;
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute, int) {
  return runtime_call(__func__, [&] { return check_kernel(func); });
}

CONVOY_EXPORT cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache) {
  return runtime_call(__func__, [&] { return check_kernel(func); });
}

CONVOY_EXPORT cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig) {
  return runtime_call(__func__, [&] { return check_kernel(func); });
}

CONVOY_EXPORT cudaError_t cudaFuncGetName(const char** name, const void* func) {
  return runtime_call(__func__, [&]() -> call_status {
    const kernel* const found = find_kernel(func);
    if (name == nullptr) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    *name = name_of(*found).c_str();
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr) {
  return runtime_call(__func__, [&]() -> call_status {
    const kernel* const found = find_kernel(entryFuncAddr);
    if (kernelPtr == nullptr) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    *kernelPtr = handle_of(found);
    return cudaSuccess;
  });
}

CONVOY_EXPORT cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
  return cudaGetKernel(reinterpret_cast<cudaKernel_t*>(functionPtr), symbolPtr);
}

}  // extern "C"
