/* The types of the CUDA runtime that Convoy implements. */
#ifndef CONVOY_COMPAT_CUDA_DRIVER_TYPES_H
#define CONVOY_COMPAT_CUDA_DRIVER_TYPES_H

#include <types/device.h>
#include <types/errors.h>
#include <types/handles.h>
#include <types/memory.h>
#include <types/modules.h>
#include <types/stream.h>

#endif
