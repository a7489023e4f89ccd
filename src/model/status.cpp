#include <convoy/status.hpp>

namespace convoy {

// No default case: a new errc breaks the build here until it has a name.
std::string_view name(errc code) noexcept {
  switch (code) {
    case errc::ok: return "ok";
    case errc::invalid_argument: return "invalid_argument";
    case errc::null_pointer: return "null_pointer";
    case errc::zero_size: return "zero_size";
    case errc::size_exceeds_capacity: return "size_exceeds_capacity";
    case errc::leaves_allocation: return "leaves_allocation";
    case errc::wrong_location: return "wrong_location";
    case errc::wrong_direction: return "wrong_direction";
    case errc::mixed_directions: return "mixed_directions";
    case errc::no_peer_access: return "no_peer_access";
    case errc::invalid_runs: return "invalid_runs";
    case errc::invalid_access_order: return "invalid_access_order";
    case errc::too_many_copies: return "too_many_copies";
    case errc::invalid_pitch: return "invalid_pitch";
    case errc::invalid_device: return "invalid_device";
    case errc::wrong_device: return "wrong_device";
    case errc::invalid_handle: return "invalid_handle";
    case errc::destroyed_handle: return "destroyed_handle";
    case errc::not_an_allocation: return "not_an_allocation";
    case errc::already_registered: return "already_registered";
    case errc::not_registered: return "not_registered";
    case errc::peer_access_already_enabled: return "peer_access_already_enabled";
    case errc::peer_access_not_enabled: return "peer_access_not_enabled";
    case errc::not_recorded: return "not_recorded";
    case errc::not_permitted: return "not_permitted";
    case errc::not_supported: return "not_supported";
    case errc::out_of_memory: return "out_of_memory";
    case errc::not_ready: return "not_ready";
    case errc::timed_out: return "timed_out";
    case errc::aborted: return "aborted";
    case errc::fault: return "fault";
    case errc::device_failure: return "device_failure";
    case errc::function_threw: return "function_threw";
    case errc::forked: return "forked";
    case errc::bad_configuration: return "bad_configuration";
    case errc::out_of_threads: return "out_of_threads";
  }
  return "unknown";
}

}  // namespace convoy
