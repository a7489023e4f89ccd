// Batches of copies, for both interfaces.
//
// The caller's arrays go to Convoy as they are; only attribute runs change their shape. Location
// hints and the overlap flag change nothing about what is copied and are not looked at.
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
  const std::size_t* firsts = nullptr;  // the copy that each of the attributes begins with
  std::size_t runs = 0;
};

// The legacy default stream is refused. The outcome's status names the copy to blame, if one is.
call_status submit_batch(cudaStream_t stream, const batch_arrays& arrays);

// Copies between pointers of boxes of rows; operands that are arrays are not supported.
call_status submit_batch_3d(cudaStream_t stream, const cudaMemcpy3DBatchOp* copies,
                            std::size_t count, unsigned long long flags);

}  // namespace convoy::cuda
