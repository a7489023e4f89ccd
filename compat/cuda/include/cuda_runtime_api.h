/* The functions of the CUDA runtime that Convoy serves. */
#ifndef CONVOY_COMPAT_CUDA_RUNTIME_API_H
#define CONVOY_COMPAT_CUDA_RUNTIME_API_H

#include <driver_types.h>
#include <stddef.h>

#define CUDART_VERSION 13000

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

#ifdef __cplusplus
}
#endif

#endif
