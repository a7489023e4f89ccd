// Copies and fills that are not batches, and when their calls return.
//
// A call that copies in a stream waits for the copy where CUDA does: between host memory, and from
// a device to pageable memory. A short pageable source is read during the call instead. A call
// without a stream waits for its copy, unless both ends are device memory and neither an allocation
// nor the current context wants all such calls to wait.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>

#include "state/handles.hpp"
#include "state/outcome.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// How the call that makes a copy was made.
enum class manner { in_stream, in_passing };  // cudaMemcpyAsync and cudaMemcpy

outcome copy_bytes(manner how, cudaStream_t stream, const copy& what, cudaMemcpyKind kind);
outcome copy_box(manner how, cudaStream_t stream, const pitched_copy& what, cudaMemcpyKind kind);

// The box of a parameter block: a pointer, a position in it, an extent.
outcome box_of(const cudaMemcpy3DParms& from, pitched_copy* into);
outcome box_of(const cudaMemcpy3DPeerParms& from, pitched_copy* into);

// Between devices, in the order of every stream of both.
outcome copy_between_devices(const pitched_copy& what, int dst_device, int src_device);

// The same in one stream. Refuses numbers that are no devices.
outcome copy_between_devices(cudaStream_t stream, const pitched_copy& what, int dst_device,
                             int src_device);

// Writes one byte over the rows of the box; pageable memory is refused.
outcome fill_box(manner how, cudaStream_t stream, const pitched& where, const box& extent,
                 fill_pattern pattern);

}  // namespace convoy::cuda
