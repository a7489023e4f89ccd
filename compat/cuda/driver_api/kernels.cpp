// Launches of kernels that run on the host.
#include "calls/kernels.hpp"

#include "driver_api/border.hpp"

using namespace convoy::cuda;

namespace {

// What the driver calls a function that no device can run.
outcome as_driver(const outcome& launched) {
  if (launched.code() != cudaErrorInvalidDeviceFunction) return launched;
  return cudaErrorNoKernelImageForDevice;
}

outcome launch_function(const CUlaunchConfig& how, CUfunction function, void** parameters,
                        void** extra) {
  if (extra != nullptr) return convoy::status{convoy::errc::not_supported};
  const launch_shape shape{{how.gridDimX, how.gridDimY, how.gridDimZ},
                           {how.blockDimX, how.blockDimY, how.blockDimZ},
                           how.sharedMemBytes};
  return as_driver(launch(how.hStream, function, shape, parameters));
}

outcome tell_name(const void* of, const char** into) {
  const kernel* const found = find_kernel(of);
  if (into == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  *into = name_of(*found);
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                      unsigned int gridDimZ, unsigned int blockDimX,
                                      unsigned int blockDimY, unsigned int blockDimZ,
                                      unsigned int sharedMemBytes, CUstream hStream,
                                      void** kernelParams, void** extra) {
  const CUlaunchConfig how{gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                           blockDimZ, sharedMemBytes, hStream,  nullptr,   0};
  return in_stream(__func__, hStream, [&] { return launch_function(how, f, kernelParams, extra); });
}

CONVOY_EXPORT CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int gridDimX,
                                           unsigned int gridDimY, unsigned int gridDimZ,
                                           unsigned int blockDimX, unsigned int blockDimY,
                                           unsigned int blockDimZ, unsigned int sharedMemBytes,
                                           CUstream hStream, void** kernelParams, void** extra) {
  return cuLaunchKernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                        sharedMemBytes, per_thread(hStream), kernelParams, extra);
}

CONVOY_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f,
                                        void** kernelParams, void** extra) {
  if (config == nullptr) return refuse(__func__, cudaErrorInvalidValue);
  return in_stream(__func__, config->hStream,
                   [&] { return launch_function(*config, f, kernelParams, extra); });
}

CONVOY_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f,
                                             void** kernelParams, void** extra) {
  if (config == nullptr) return refuse(__func__, cudaErrorInvalidValue);
  CUlaunchConfig own = *config;
  own.hStream = per_thread(own.hStream);
  return cuLaunchKernelEx(&own, f, kernelParams, extra);
}

CONVOY_EXPORT CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  return border(__func__, [&] { return tell_name(hfunc, name); });
}

CONVOY_EXPORT CUresult cuKernelGetName(const char** name, CUkernel hfunc) {
  return border(__func__, [&] { return tell_name(hfunc, name); });
}

CONVOY_EXPORT CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  return border(__func__, [&]() -> outcome {
    if (pFunc == nullptr) return cudaErrorInvalidValue;
    if (find_kernel(kernel) == nullptr) return cudaErrorInvalidResourceHandle;
    *pFunc = reinterpret_cast<CUfunction>(kernel);
    return cudaSuccess;
  });
}

}  // extern "C"
