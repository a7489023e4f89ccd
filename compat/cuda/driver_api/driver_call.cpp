#include "driver_api/driver_call.hpp"

#include "state/error_log.hpp"

namespace convoy::cuda {
namespace {

// Replaces codes that only the runtime has.
constexpr error_text invalid_value{cudaErrorInvalidValue, nullptr, "CUDA_ERROR_INVALID_VALUE",
                                   nullptr};

}  // namespace

CUresult log_driver_error(const char* function, const call_status& error) noexcept {
  if (error.code() == cudaErrorNotReady) return CUDA_ERROR_NOT_READY;
  const error_text* text = error_text_of(error.code());
  if (text == nullptr || text->driver_name == nullptr) text = &invalid_value;
  log_failed_call(function, text->driver_name, error);
  return static_cast<CUresult>(text->code);
}

call_status find_current(device_id* device) noexcept {
  const context* const current = current_context();
  if (current == nullptr) return cudaErrorDeviceUninitialized;
  // Read without the lock: a context that another thread destroys now may be destroyed during the
  // call anyway.
  if (!current->alive.load(std::memory_order_acquire)) return cudaErrorContextIsDestroyed;
  *device = current->device;
  return cudaSuccess;
}

call_status find_context(CUcontext handle, context** found) {
  context* const known = handle == nullptr ? nullptr : known_context(handle);
  if (known == nullptr) return cudaErrorDeviceUninitialized;
  if (!known->alive.load(std::memory_order_acquire)) return cudaErrorContextIsDestroyed;
  *found = known;
  return cudaSuccess;
}

}  // namespace convoy::cuda

// Called by the generated functions that exports.txt marks as unsupported.
extern "C" int convoy_cuda_unsupported(const char* symbol) {
  return convoy::cuda::log_driver_error(symbol, convoy::status{convoy::errc::not_supported});
}
