/* The words that mark functions and variables of device code, and calling conventions.
 *
 * A host compiler reads past them. A compiler for CUDA has its own meaning for them, which stays.
 */
#ifndef CONVOY_COMPAT_CUDA_HOST_DEFINES_H
#define CONVOY_COMPAT_CUDA_HOST_DEFINES_H

#define CUDARTAPI
#define CUDARTAPI_CDECL

#if !defined(__CUDACC__) && !defined(__CUDA__)
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#endif

#endif
