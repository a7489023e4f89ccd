#include "runtime_api/runtime_call.hpp"

#include "state/error_log.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {

cudaError_t record_error(const char* function, const call_status& error) noexcept {
  if (error.code() == cudaErrorNotReady) return cudaErrorNotReady;
  this_thread().last_error = error.code();
  const error_text* const text = error_text_of(error.code());
  log_failed_call(function, text == nullptr ? unrecognized_code : text->runtime_name, error);
  return error.code();
}

}  // namespace convoy::cuda

// Called by the generated functions that exports.txt marks as unsupported.
extern "C" int convoy_cudart_unsupported(const char* symbol) {
  return convoy::cuda::record_error(symbol, convoy::status{convoy::errc::not_supported});
}
