/* All types of the runtime; some programs include this name. */
#ifndef CONVOY_COMPAT_CUDA_BUILTIN_TYPES_H
#define CONVOY_COMPAT_CUDA_BUILTIN_TYPES_H

#include <driver_types.h>
#include <vector_types.h>

#endif
