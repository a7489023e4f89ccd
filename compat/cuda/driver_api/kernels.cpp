// Launches of kernels, which run their registered host functions.
#include "calls/kernels.hpp"

#include "driver_api/driver_call.hpp"

using namespace convoy::cuda;

namespace {

// The driver's code for a kernel without a host function.
call_status to_driver_status(const call_status& launched) {
  if (launched.code() != cudaErrorInvalidDeviceFunction) return launched;
  return cudaErrorNoKernelImageForDevice;
}

call_status launch_function(const CUlaunchConfig& config, CUfunction function, void** parameters,
                            void** extra) {
  // The offsets of packed parameters are not known; a skipped kernel needs none.
  if (extra != nullptr && !is_skipped(function)) {
    return convoy::status{convoy::errc::not_supported};
  }
  const launch_shape shape{{config.gridDimX, config.gridDimY, config.gridDimZ},
                           {config.blockDimX, config.blockDimY, config.blockDimZ},
                           config.sharedMemBytes};
  return to_driver_status(launch(config.hStream, function, shape, parameters));
}

call_status write_name(const void* handle, const char** into) {
  if (handle == nullptr || into == nullptr) return cudaErrorInvalidValue;
  const kernel* const found = find_kernel(handle);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *into = name_of(*found).c_str();
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                      unsigned int gridDimZ, unsigned int blockDimX,
                                      unsigned int blockDimY, unsigned int blockDimZ,
                                      unsigned int sharedMemBytes, CUstream hStream,
                                      void** kernelParams, void** extra) {
  const CUlaunchConfig config{gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                              blockDimZ, sharedMemBytes, hStream,  nullptr,   0};
  return in_stream(__func__, hStream,
                   [&] { return launch_function(config, f, kernelParams, extra); });
}

CONVOY_EXPORT CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
                                                 unsigned int gridDimY, unsigned int gridDimZ,
                                                 unsigned int blockDimX, unsigned int blockDimY,
                                                 unsigned int blockDimZ,
                                                 unsigned int sharedMemBytes, CUstream hStream,
                                                 void** kernelParams) {
  return cuLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                        sharedMemBytes, hStream, kernelParams, nullptr);
}

CONVOY_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f,
                                        void** kernelParams, void** extra) {
  if (config == nullptr) return log_driver_error(__func__, cudaErrorInvalidValue);
  return in_stream(__func__, config->hStream,
                   [&] { return launch_function(*config, f, kernelParams, extra); });
}

CONVOY_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f,
                                             void** kernelParams, void** extra) {
  if (config == nullptr) return log_driver_error(__func__, cudaErrorInvalidValue);
  CUlaunchConfig own = *config;
  own.hStream = per_thread(own.hStream);
  return cuLaunchKernelEx(&own, f, kernelParams, extra);
}

CONVOY_EXPORT CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  return driver_call(__func__, [&] { return write_name(hfunc, name); });
}

CONVOY_EXPORT CUresult cuKernelGetName(const char** name, CUkernel hfunc) {
  return driver_call(__func__, [&] { return write_name(hfunc, name); });
}

CONVOY_EXPORT CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  return driver_call(__func__, [&]() -> call_status {
    if (pFunc == nullptr) return cudaErrorInvalidValue;
    if (find_kernel(kernel) == nullptr) return cudaErrorInvalidResourceHandle;
    *pFunc = reinterpret_cast<CUfunction>(kernel);
    return cudaSuccess;
  });
}

}  // extern "C"
