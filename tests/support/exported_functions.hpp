// The types of all functions that the drop-in libraries export, as exported::f_type for f.
//
// exported_functions.inc is made of the lists exports.txt. The headers declare the functions; this
// file declares what only compilers and older programs call. Included before the headers that add
// overloads in C++: an overloaded name has no type.
#pragma once

#include <acl/acl.h>
#include <acl/acl_rt.h>
#include <convoy_kernels.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <driver_api/legacy_symbols.hpp>

extern "C" {

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* hostFun);
char __cudaInitModule(void** fatCubinHandle);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args,
                               size_t sharedMem, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       cudaStream_t* stream);
unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                     cudaStream_t stream);
void** __cudaRegisterFatBinary(void* fatCubin);
void __cudaRegisterFatBinaryEnd(void** fatCubinHandle);
void __cudaRegisterFunction(void** fatCubinHandle, const char* hostFun, char* deviceFun,
                            const char* deviceName, int threadLimit, uint3* tid, uint3* bid,
                            dim3* bDim, dim3* gDim, int* wSize);
void __cudaRegisterHostVar(void** fatCubinHandle, const char* deviceName, char* hostVar,
                           size_t size);
void __cudaRegisterManagedVar(void** fatCubinHandle, void** hostVarPtrAddress, char* deviceAddress,
                              const char* deviceName, int ext, size_t size, int constant,
                              int global);
void __cudaRegisterUnifiedTable(void** fatCubinHandle, void* table);
void __cudaRegisterVar(void** fatCubinHandle, char* hostVar, char* deviceAddress,
                       const char* deviceName, int ext, size_t size, int constant, int global);
void __cudaUnregisterFatBinary(void** fatCubinHandle);

CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev);
CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev);
CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams,
                        unsigned int flags, CUdevice dev);
CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId);
CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags);
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
CUresult cuProfilerInitialize(const char* configFile, const char* outputFile, int outputMode);
decltype(cuCtxDestroy_v2) cuCtxDestroy;
decltype(cuCtxPopCurrent_v2) cuCtxPopCurrent;
decltype(cuCtxPushCurrent_v2) cuCtxPushCurrent;
decltype(cuDeviceGetUuid_v2) cuDeviceGetUuid;
decltype(cuDevicePrimaryCtxRelease_v2) cuDevicePrimaryCtxRelease;
decltype(cuDevicePrimaryCtxReset_v2) cuDevicePrimaryCtxReset;
decltype(cuDevicePrimaryCtxSetFlags_v2) cuDevicePrimaryCtxSetFlags;
decltype(cuEventDestroy_v2) cuEventDestroy;
decltype(cuEventElapsedTime_v2) cuEventElapsedTime;
decltype(cuIpcOpenMemHandle_v2) cuIpcOpenMemHandle;
decltype(cuMemHostRegister_v2) cuMemHostRegister;
decltype(cuStreamDestroy_v2) cuStreamDestroy;

}  // extern "C"

namespace convoy::test::exported {

#define CONVOY_FUNCTION(symbol, declared) using symbol##_type = decltype(::declared);
#define CONVOY_UNSUPPORTED(symbol)
#include "exported_functions.inc"
#undef CONVOY_FUNCTION
#undef CONVOY_UNSUPPORTED

}  // namespace convoy::test::exported
