// The parameter blocks of two- and three-dimensional copies, read as boxes of rows.
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

// Refuses null, arrays, unknown kinds of memory, and rows that do not fit into their pitch. The
// kind says what the block says of its two sides; memory that may be either says nothing.
call_status describe_copy(const CUDA_MEMCPY2D* from, described_copy* into);
call_status describe_copy(const CUDA_MEMCPY3D* from, described_copy* into);
call_status describe_copy(const CUDA_MEMCPY3D_PEER* from, described_copy* into);

}  // namespace convoy::cuda
