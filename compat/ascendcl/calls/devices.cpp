#include "calls/devices.hpp"

#include <convoy/device.hpp>

#include "state/soc.hpp"
#include "state/state_callbacks.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

bool is_option(aclSysParamOpt option) {
  return option >= ACL_OPT_DETERMINISTIC && option <= ACL_OPT_STRONG_CONSISTENCY;
}

// By aclSysParamOpt.
std::array<std::atomic<std::int64_t>, 3> process_options;

// Two different devices.
struct peer_pair {
  device_id from = {};
  device_id to = {};
};

lookup<peer_pair> find_peers(std::int64_t from, std::int64_t to) {
  if (from == to) return invalid_param("a device is not its own peer");
  const auto first = find_device(from);
  if (!first) return first.error;
  const auto second = find_device(to);
  if (!second) return second.error;
  return peer_pair{*first, *second};
}

lookup<peer_pair> find_peers_of_current(std::int32_t to) {
  const auto current = current_context();
  return current ? find_peers(program_devices().number_of((*current)->device), to) : current.error;
}

}  // namespace

call_status create_context(aclrtContext* into, std::int32_t device) {
  if (into == nullptr) return invalid_param("context is NULL");
  const auto found = find_device(device);
  if (!found) return found.error;
  const auto made = make_context(*found, false);
  if (!made) return made.error;
  make_current(*made);
  *into = to_handle((*made)->id);
  return {};
}

call_status destroy_context(aclrtContext handle) {
  if (handle == nullptr) return invalid_param("context is NULL");
  const auto closing = find_context(handle);
  if (!closing) return closing.error;
  if ((*closing)->primary) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "the primary context of a device is destroyed by aclrtResetDevice");
  }
  close(**closing, close_mode::after_work);
  if (this_thread().current == *closing) make_current(nullptr);
  return {};
}

call_status set_current_context(aclrtContext handle) {
  if (handle == nullptr) return invalid_param("context is NULL");
  const auto next = find_context(handle);
  if (!next) return next.error;
  make_current(*next);
  return {};
}

call_status get_current_context(aclrtContext* into) {
  if (into == nullptr) return invalid_param("context is NULL");
  const auto current = current_context();
  if (current) *into = to_handle((*current)->id);
  return current.error;
}

call_status get_default_stream(aclrtStream* into) {
  if (into == nullptr) return invalid_param("stream is NULL");
  const auto current = current_context();
  if (current) *into = to_handle((*current)->default_stream.handle());
  return current.error;
}

call_status set_context_option(aclSysParamOpt option, std::int64_t value) {
  if (!is_option(option)) return invalid_param("opt is not a known aclSysParamOpt");
  const auto current = current_context();
  if (current) (*current)->options[static_cast<std::size_t>(option)] = value;
  return current.error;
}

call_status get_context_option(aclSysParamOpt option, std::int64_t* into) {
  if (!is_option(option)) return invalid_param("opt is not a known aclSysParamOpt");
  if (into == nullptr) return invalid_param("value is NULL");
  const auto current = current_context();
  if (current) *into = (*current)->options[static_cast<std::size_t>(option)];
  return current.error;
}

call_status set_process_option(aclSysParamOpt option, std::int64_t value) {
  if (!is_option(option)) return invalid_param("opt is not a known aclSysParamOpt");
  process_options[static_cast<std::size_t>(option)] = value;
  return {};
}

call_status get_process_option(aclSysParamOpt option, std::int64_t* into) {
  if (!is_option(option)) return invalid_param("opt is not a known aclSysParamOpt");
  if (into == nullptr) return invalid_param("value is NULL");
  *into = process_options[static_cast<std::size_t>(option)];
  return {};
}

call_status get_primary_state(std::int32_t device_number, std::uint32_t* flags,
                              std::int32_t* active) {
  if (flags == nullptr || active == nullptr)
    return missing_argument({{"flags", flags}, {"active", active}});
  const auto device = find_device(device_number);
  if (!device) return device.error;
  *flags = 0;
  *active = has_primary_context(*device) ? 1 : 0;
  return {};
}

call_status set_device(std::int32_t number) {
  const auto device = find_device(number);
  if (!device) return device.error;
  notify_device_state(*device, ACL_RT_DEVICE_STATE_SET_PRE);
  const auto primary = retain_primary_context(*device);
  if (!primary) return primary.error;
  make_current(*primary);
  notify_device_state(*device, ACL_RT_DEVICE_STATE_SET_POST);
  return {};
}

call_status reset_device(std::int32_t number, reset_kind kind) {
  const auto device = find_device(number);
  if (!device) return device.error;
  const auto closing = release_primary_context(*device, kind);
  if (!closing) return closing.error;
  if (*closing == nullptr) return {};
  notify_device_state(*device, ACL_RT_DEVICE_STATE_RESET_PRE);
  close(**closing, close_mode::after_work);
  clear_failures(*device);
  if (this_thread().current == *closing) make_current(nullptr);
  notify_device_state(*device, ACL_RT_DEVICE_STATE_RESET_POST);
  return {};
}

call_status get_device(std::int32_t* into) {
  if (into == nullptr) return invalid_param("deviceId is NULL");
  auto current = current_context();
  if (current) *into = program_devices().number_of((*current)->device);
  current.error.recorded = false;
  return current.error;
}

call_status count_devices(std::uint32_t* into) {
  if (into == nullptr) return invalid_param("count is NULL");
  const visible_devices& all = program_devices();
  if (!all.error().ok()) return call_status_of(all.error());
  *into = static_cast<std::uint32_t>(all.count());
  return {};
}

call_status get_run_mode(aclrtRunMode* into) {
  if (into == nullptr) return invalid_param("runMode is NULL");
  *into = soc().on_device ? ACL_DEVICE : ACL_HOST;
  return {};
}

call_status synchronize_device(std::int32_t milliseconds) {
  if (auto checked = check_timeout(milliseconds); !checked.ok()) return checked;
  const auto current = current_context();
  if (!current) return current.error;
  const device_id id = (*current)->device;
  status s = synchronize_for(device(id), milliseconds);
  // Aborted work is reported to callers that wait for its stream. A second wait answers the error
  // of other streams, if there is one.
  if (s.code == errc::aborted) s = synchronize_for(device(id), milliseconds);
  if (s.ok()) return {};
  for (const auto& each : streams_of(id)) static_cast<void>(each->ref.clear_error());
  return call_status_of_step(s);
}

call_status abort_device(std::int32_t number) {
  const auto device = find_device(number);
  if (!device) return device.error;
  for (const auto& each : streams_of(*device)) static_cast<void>(each->ref.abort());
  return {};
}

call_status can_access_peer(std::int32_t* into, std::int32_t from, std::int32_t to) {
  const auto peers = find_peers(from, to);
  if (peers && into != nullptr) *into = 1;
  return peers.error;
}

call_status enable_peer_access(std::int32_t to, std::uint32_t flags) {
  if (flags != 0) return failed(ACL_ERROR_FEATURE_UNSUPPORTED, "flags is not 0");
  const auto peers = find_peers_of_current(to);
  if (!peers) return peers.error;
  const status s = device(peers->from).enable_access(peers->to);
  return s.code == errc::peer_access_already_enabled ? call_status{} : call_status_of(s);
}

call_status disable_peer_access(std::int32_t to) {
  const auto peers = find_peers_of_current(to);
  return peers ? call_status_of(device(peers->from).disable_access(peers->to)) : peers.error;
}

call_status get_peer_access(std::int32_t from, std::int32_t to, std::int32_t* into) {
  if (into == nullptr) return invalid_param("status is NULL");
  const auto peers = find_peers(from, to);
  if (!peers) return peers.error;
  const auto enabled = device(peers->from).has_access(peers->to);
  if (!enabled) return call_status_of(enabled.error());
  *into = *enabled ? 1 : 0;
  return {};
}

}  // namespace convoy::ascendcl
