// Managed memory: what programs advise about it, and where they want it.
//
// Managed memory is one place for host and devices alike, so advice and prefetches move nothing.
// They are checked and remembered, and told to whoever asks about a range.
#pragma once

#include <cstddef>
#include <span>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/memory.h"

namespace convoy::cuda {

call_status advise(const void* start, std::size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& location);

call_status prefetch(cudaStream_t stream, const void* start, std::size_t bytes,
                     const cudaMemLocation& location, unsigned flags);

// Ranges, and the places that runs of them go to; without places nothing is prefetched.
struct managed_ranges {
  void* const* starts = nullptr;
  const std::size_t* sizes = nullptr;
  std::size_t count = 0;
  const cudaMemLocation* locations = nullptr;
  const std::size_t* firsts = nullptr;
  std::size_t runs = 0;
};

call_status prefetch_batch(cudaStream_t stream, const managed_ranges& ranges,
                           unsigned long long flags);

// What is discarded may keep its bytes.
call_status discard_batch(cudaStream_t stream, const managed_ranges& ranges,
                          unsigned long long flags);

// Writes `size` bytes at `into` in the shape that the attribute has.
call_status range_attribute(void* into, std::size_t size, cudaMemRangeAttribute attribute,
                            const void* start, std::size_t bytes);

// The same for several attributes; ends at the first that fails.
call_status range_attributes(void* const* into, const std::size_t* sizes,
                             std::span<const cudaMemRangeAttribute> attributes, const void* start,
                             std::size_t bytes);

call_status attach(cudaStream_t stream, void* start, std::size_t bytes, unsigned flags);

// Forgets the advice about an allocation that is gone.
void remove_advice(const void* start, std::size_t bytes);

}  // namespace convoy::cuda
