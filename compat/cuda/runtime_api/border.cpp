#include "runtime_api/border.hpp"

#include "state/refusals.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {

cudaError_t keep(const char* function, const outcome& refused) noexcept {
  if (refused.code() == cudaErrorNotReady) return cudaErrorNotReady;
  this_thread().last_error = refused.code();
  note_refusal(function, refused);
  return refused.code();
}

}  // namespace convoy::cuda

// Answers for the functions that the export list calls unsupported.
extern "C" int convoy_cudart_unsupported(const char* symbol) {
  return convoy::cuda::keep(symbol, convoy::status{convoy::errc::not_supported});
}
