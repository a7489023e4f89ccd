// Copies and fills that are not batches, and when their calls return.
//
// A call that copies in a stream waits for the copy where CUDA does: between host memory, and from
// a device to pageable memory. A short pageable source is read during the call instead. A call
// without a stream waits for its copy, unless both ends are device memory and neither an allocation
// nor the current context wants all such calls to wait.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// cudaMemcpyAsync() is an async call, cudaMemcpy() a sync call.
enum class call_kind { async, sync };

call_status copy_bytes(call_kind call, cudaStream_t stream, const copy& range, cudaMemcpyKind kind);
call_status copy_box(call_kind call, cudaStream_t stream, const pitched_copy& rows,
                     cudaMemcpyKind kind);

// The box of a parameter block: a pointer, a position in it, an extent.
call_status box_of(const cudaMemcpy3DParms& from, pitched_copy* into);
call_status box_of(const cudaMemcpy3DPeerParms& from, pitched_copy* into);

// Refuses numbers that are no devices. A sync call on the legacy default stream runs in the order
// of every stream of both devices, any other in that of its stream.
call_status copy_between_devices(call_kind call, cudaStream_t stream, const pitched_copy& rows,
                                 int dst_device, int src_device);

// Writes one byte over the rows of the box; pageable memory is refused.
call_status fill_box(call_kind call, cudaStream_t stream, const pitched& memory, const box& extent,
                     fill_pattern pattern);

}  // namespace convoy::cuda
