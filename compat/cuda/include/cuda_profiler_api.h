/* Profiler control, without effect. */
#ifndef CONVOY_COMPAT_CUDA_PROFILER_API_H
#define CONVOY_COMPAT_CUDA_PROFILER_API_H

#include <cuda_runtime_api.h>

#endif
