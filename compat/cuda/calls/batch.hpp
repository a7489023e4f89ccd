// Batches of copies, for both interfaces.
//
// The caller's arrays are passed to the engine unchanged; only the attribute runs are converted.
// Location hints are ignored, and the overlap flag has no effect.
#pragma once

#include <cstddef>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

struct batch_arrays {
  void* const* dsts = nullptr;
  const void* const* srcs = nullptr;
  const std::size_t* sizes = nullptr;
  std::size_t count = 0;
  const cudaMemcpyAttributes* attributes = nullptr;
  const std::size_t* firsts = nullptr;  // index of the first copy of each run
  std::size_t runs = 0;
};

// Refuses the legacy default stream. If one copy failed the checks, the cause names it as its item.
call_status submit_batch(cudaStream_t stream, const batch_arrays& arrays);

// Copies of boxes of rows. Operands that are CUDA arrays are not supported.
call_status submit_batch_3d(cudaStream_t stream, const cudaMemcpy3DBatchOp* copies,
                            std::size_t count, unsigned long long flags);

}  // namespace convoy::cuda
