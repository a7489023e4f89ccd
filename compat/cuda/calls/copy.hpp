// Copies and memsets that are not batches, and when their calls return.
//
// An async call waits for its copy where CUDA does: from host to host memory, and from device to
// pageable memory. A small pageable source is staged during the call instead. A sync call waits for
// its copy, unless both sides are device memory and neither an allocation nor the current context
// has SYNC_MEMOPS set.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// cudaMemcpyAsync() is an async call, cudaMemcpy() a sync call.
enum class call_kind { async, sync };

// A copy in the legacy default stream is also ordered with the legacy default streams of other
// devices whose memory it uses. Memory of another device's pool needs cudaMemPoolSetAccess().
call_status copy_bytes(call_kind call, cudaStream_t stream, const copy& range, cudaMemcpyKind kind);
call_status copy_box(call_kind call, cudaStream_t stream, const pitched_copy& box_copy,
                     cudaMemcpyKind kind);

// Reads the box out of a parameter structure: pointer, position, extent.
call_status box_of(const cudaMemcpy3DParms& from, pitched_copy* into);
call_status box_of(const cudaMemcpy3DPeerParms& from, pitched_copy* into);

// Returns cudaErrorInvalidDevice for numbers that are no devices. Pools need not give access. A
// call on the legacy default stream is ordered with the legacy default streams of both devices.
call_status copy_between_devices(call_kind call, cudaStream_t stream, const pitched_copy& box_copy,
                                 int dst_device, int src_device);

// Fills the rows of a box with a pattern. Refuses pageable memory.
call_status fill_box(call_kind call, cudaStream_t stream, const pitched& memory, const box& extent,
                     fill_pattern pattern);

}  // namespace convoy::cuda
