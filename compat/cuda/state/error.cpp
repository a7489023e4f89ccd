#include "state/error.hpp"

#include <algorithm>
#include <iterator>

namespace convoy::cuda {
namespace {

// Sorted by code.
constexpr error_text table[] = {
#define CONVOY_CUDA_ERROR(code, runtime_name, driver_name, description) \
  {code, runtime_name, driver_name, description},
#include "state/errors.def"
#undef CONVOY_CUDA_ERROR
};

static_assert(std::is_sorted(std::begin(table), std::end(table),
                             [](const auto& a, const auto& b) { return a.code < b.code; }));

}  // namespace

// No default case: a new errc fails to compile here until it has a CUDA code.
cudaError_t to_cuda(errc code) noexcept {
  switch (code) {
    case errc::ok: return cudaSuccess;
    case errc::invalid_argument:
    case errc::null_pointer:
    case errc::zero_size:
    case errc::size_exceeds_capacity:
    case errc::leaves_allocation:
    case errc::wrong_location:
    case errc::wrong_direction:
    case errc::mixed_directions:
    case errc::invalid_runs:
    case errc::invalid_access_order:
    case errc::too_many_copies:
    case errc::not_an_allocation: return cudaErrorInvalidValue;
    case errc::no_peer_access: return cudaErrorPeerAccessNotEnabled;
    case errc::invalid_pitch: return cudaErrorInvalidPitchValue;
    case errc::invalid_device: return cudaErrorInvalidDevice;
    case errc::wrong_device:
    case errc::invalid_handle:
    case errc::not_recorded: return cudaErrorInvalidResourceHandle;
    case errc::destroyed_handle: return cudaErrorContextIsDestroyed;
    case errc::already_registered: return cudaErrorHostMemoryAlreadyRegistered;
    case errc::not_registered: return cudaErrorHostMemoryNotRegistered;
    case errc::peer_access_already_enabled: return cudaErrorPeerAccessAlreadyEnabled;
    case errc::peer_access_not_enabled: return cudaErrorPeerAccessNotEnabled;
    case errc::not_permitted: return cudaErrorNotPermitted;
    case errc::not_supported: return cudaErrorNotSupported;
    case errc::out_of_memory: return cudaErrorMemoryAllocation;
    case errc::not_ready: return cudaErrorNotReady;
    case errc::timed_out: return cudaErrorLaunchTimeout;
    case errc::aborted:
    case errc::device_failure: return cudaErrorLaunchFailure;
    case errc::function_threw: return cudaErrorAssert;
    case errc::fault: return cudaErrorIllegalAddress;
    case errc::out_of_threads: return cudaErrorOperatingSystem;
    case errc::forked:
    case errc::bad_configuration: return cudaErrorInitializationError;
  }
  return cudaErrorUnknown;
}

const error_text* error_text_of(int code) noexcept {
  const auto* const found =
      std::lower_bound(std::begin(table), std::end(table), code,
                       [](const error_text& each, int searched) { return each.code < searched; });
  return found != std::end(table) && found->code == code ? found : nullptr;
}

}  // namespace convoy::cuda
