#include "driver_api/border.hpp"

#include <string>

#include "state/refusals.hpp"

namespace convoy::cuda {
namespace {

// What the driver says where the runtime has a code of its own.
constexpr error_words otherwise{cudaErrorInvalidValue, nullptr, "CUDA_ERROR_INVALID_VALUE",
                                nullptr};

void note(const char* function, const char* name, const status& why) noexcept {
  try {
    const std::string sentence = why.ok() ? name : std::string(name) + ": " + explain(why);
    note_refusal(function, sentence);
  } catch (const std::bad_alloc&) {
    return;  // the code of the call itself says as much
  }
}

}  // namespace

CUresult refuse(const char* function, const outcome& why) noexcept {
  if (why.code() == cudaErrorNotReady) return CUDA_ERROR_NOT_READY;
  const error_words* words = words_of(why.code());
  if (words == nullptr || words->driver_name == nullptr) words = &otherwise;
  note(function, words->driver_name, why.why());
  return static_cast<CUresult>(words->code);
}

outcome find_current(device_id* on) noexcept {
  const context* const current = current_context();
  if (current == nullptr) return cudaErrorDeviceUninitialized;
  // Read without a lock: who ends the context at this moment ends it under us either way.
  if (!current->alive.load(std::memory_order_acquire)) return cudaErrorContextIsDestroyed;
  *on = current->device;
  return cudaSuccess;
}

}  // namespace convoy::cuda

// Answers for the functions that the export list calls unsupported.
extern "C" int convoy_cuda_unsupported(const char* symbol) {
  return convoy::cuda::refuse(symbol, convoy::status{convoy::errc::not_supported});
}
