/* All types of the runtime, under the name that some programs include. */
#ifndef CONVOY_COMPAT_CUDA_BUILTIN_TYPES_H
#define CONVOY_COMPAT_CUDA_BUILTIN_TYPES_H

#include <driver_types.h>
#include <vector_types.h>

#endif
