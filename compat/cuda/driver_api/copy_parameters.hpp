// Conversion of the parameter structures of 2D and 3D copies to boxes of rows.
#pragma once

#include <cuda.h>

#include <convoy/copy.hpp>

#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

struct described_copy {
  pitched_copy box;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

// Refuses null, CUDA arrays, unknown memory types, and rows that are wider than their pitch. The
// kind follows from the memory types; CU_MEMORYTYPE_UNIFIED makes it cudaMemcpyDefault.
call_status describe_copy(const CUDA_MEMCPY2D* from, described_copy* into);
call_status describe_copy(const CUDA_MEMCPY3D* from, described_copy* into);
call_status describe_copy(const CUDA_MEMCPY3D_PEER* from, described_copy* into);

}  // namespace convoy::cuda
