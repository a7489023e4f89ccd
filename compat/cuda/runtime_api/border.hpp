// What every exported function of the runtime goes through.
//
// The body answers an outcome. The border turns it into a code, keeps an error for
// cudaGetLastError(), and notes the sentence that goes with it. "Not ready" is no error.
#pragma once

#include <convoy/export.hpp>
#include <new>

#include "state/outcome.hpp"

namespace convoy::cuda {

// Keeps a refusal and answers its code.
cudaError_t keep(const char* function, const outcome& refused) noexcept;

template <class Body>
cudaError_t border(const char* function, const Body& body) noexcept {
  try {
    const outcome answer = body();
    return answer.ok() ? cudaSuccess : keep(function, answer);
  } catch (const std::bad_alloc&) {
    return keep(function, cudaErrorMemoryAllocation);
  }
}

}  // namespace convoy::cuda
