// Managed memory: advice, prefetches, discards and range attributes.
//
// Host and devices share the pages of managed memory, so advice and prefetches move nothing. They
// are checked and stored, and returned as range attributes.
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

// A batch of ranges, and a location for each run of them. A discard has no locations.
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

// Checks the ranges only: discarded memory may keep its contents.
call_status discard_batch(cudaStream_t stream, const managed_ranges& ranges,
                          unsigned long long flags);

// Writes the attribute of a range to `into`; `size` must fit the type of the attribute.
call_status range_attribute(void* into, std::size_t size, cudaMemRangeAttribute attribute,
                            const void* start, std::size_t bytes);

// The same for several attributes; stops at the first error.
call_status range_attributes(void* const* into, const std::size_t* sizes,
                             std::span<const cudaMemRangeAttribute> attributes, const void* start,
                             std::size_t bytes);

call_status attach(cudaStream_t stream, void* start, std::size_t bytes, unsigned flags);

// Removes the advice for memory that has been freed.
void remove_advice(const void* start, std::size_t bytes);

}  // namespace convoy::cuda
