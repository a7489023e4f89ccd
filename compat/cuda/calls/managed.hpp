// Managed memory: what programs advise about it, and where they want it.
//
// Managed memory is one place for host and devices alike, so advice and prefetches move nothing.
// They are checked and remembered, and told to whoever asks about a range.
#pragma once

#include <cstddef>

#include "state/handles.hpp"
#include "state/outcome.hpp"
#include "types/memory.h"

namespace convoy::cuda {

outcome advise(const void* start, std::size_t bytes, cudaMemoryAdvise advice,
               const cudaMemLocation& place);

outcome prefetch(cudaStream_t stream, const void* start, std::size_t bytes,
                 const cudaMemLocation& place, unsigned flags);

// Ranges, and the places that runs of them go to; without places nothing is prefetched.
struct range_arrays {
  void* const* starts = nullptr;
  const std::size_t* sizes = nullptr;
  std::size_t count = 0;
  const cudaMemLocation* places = nullptr;
  const std::size_t* firsts = nullptr;
  std::size_t runs = 0;
};

outcome prefetch_all(cudaStream_t stream, const range_arrays& ranges, unsigned long long flags);

// What is discarded may keep its bytes.
outcome discard_all(cudaStream_t stream, const range_arrays& ranges, unsigned long long flags);

// Writes `size` bytes at `into` in the shape that the attribute has.
outcome range_attribute(void* into, std::size_t size, cudaMemRangeAttribute which,
                        const void* start, std::size_t bytes);

outcome attach(cudaStream_t stream, void* start, std::size_t bytes, unsigned flags);

// Forgets the advice about an allocation that is gone.
void forget_advice(const void* start, std::size_t bytes);

}  // namespace convoy::cuda
