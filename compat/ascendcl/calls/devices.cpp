#include "calls/devices.hpp"

#include <convoy/device.hpp>

#include "state/models.hpp"
#include "state/state_callbacks.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {
namespace {

bool is_option(aclSysParamOpt option) {
  return option >= ACL_OPT_DETERMINISTIC && option <= ACL_OPT_STRONG_CONSISTENCY;
}

// The same options for the whole process.
std::array<std::atomic<std::int64_t>, 3> process_options;

status wait_for(device_id on, std::int32_t milliseconds) {
  return milliseconds < 0 ? device(on).synchronize()
                          : device(on).synchronize(std::chrono::milliseconds(milliseconds));
}

// The two devices of a peer question, which differ.
struct pair {
  device_id from = {};
  device_id to = {};
};

found<pair> find_peers(std::int64_t from, std::int64_t to) {
  if (from == to) return none<pair>(refused("a device is no peer of its own"));
  const auto one = find_device(from);
  if (!one) return none<pair>(one.why);
  const auto other = find_device(to);
  if (!other) return none<pair>(other.why);
  return {{*one, *other}};
}

found<pair> find_peer_of_current(std::int32_t to) {
  const auto now = current_context();
  return now ? find_peers(number((*now)->device), to) : none<pair>(now.why);
}

}  // namespace

outcome create_context(aclrtContext* into, std::int32_t on) {
  if (into == nullptr) return refused("context is NULL");
  const auto made = make_context(device_id{on}, false);
  if (!made) return made.why;
  make_current(*made);
  *into = to_handle((*made)->number);
  return {};
}

outcome destroy_context(aclrtContext handle) {
  if (handle == nullptr) return refused("context is NULL");
  const auto gone = find_context(handle);
  if (!gone) return gone.why;
  if ((*gone)->primary) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "the primary context of a device ends with aclrtResetDevice");
  }
  close(**gone, ending::after_work);
  if (this_thread().current == *gone) make_current(nullptr);
  return {};
}

outcome set_current_context(aclrtContext handle) {
  if (handle == nullptr) return refused("context is NULL");
  const auto next = find_context(handle);
  if (!next) return next.why;
  make_current(*next);
  return {};
}

outcome get_current_context(aclrtContext* into) {
  if (into == nullptr) return refused("context is NULL");
  const auto now = current_context();
  if (now) *into = to_handle((*now)->number);
  return now.why;
}

outcome get_default_stream(aclrtStream* into) {
  if (into == nullptr) return refused("stream is NULL");
  const auto now = current_context();
  if (now) *into = to_handle((*now)->default_stream.handle());
  return now.why;
}

outcome set_context_option(aclSysParamOpt option, std::int64_t value) {
  if (!is_option(option)) return refused("opt is none of the options");
  const auto now = current_context();
  if (now) (*now)->options[static_cast<std::size_t>(option)] = value;
  return now.why;
}

outcome get_context_option(aclSysParamOpt option, std::int64_t* into) {
  if (!is_option(option)) return refused("opt is none of the options");
  if (into == nullptr) return refused("value is NULL");
  const auto now = current_context();
  if (now) *into = (*now)->options[static_cast<std::size_t>(option)];
  return now.why;
}

outcome set_process_option(aclSysParamOpt option, std::int64_t value) {
  if (!is_option(option)) return refused("opt is none of the options");
  process_options[static_cast<std::size_t>(option)] = value;
  return {};
}

outcome get_process_option(aclSysParamOpt option, std::int64_t* into) {
  if (!is_option(option)) return refused("opt is none of the options");
  if (into == nullptr) return refused("value is NULL");
  *into = process_options[static_cast<std::size_t>(option)];
  return {};
}

outcome get_primary_state(std::int32_t wanted, std::uint32_t* flags, std::int32_t* active) {
  if (flags == nullptr || active == nullptr) return refused("flags or active is NULL");
  const auto on = find_device(wanted);
  if (!on) return on.why;
  *flags = 0;
  *active = has_primary(*on) ? 1 : 0;
  return {};
}

outcome set_device(std::int32_t number) {
  const auto on = find_device(number);
  if (!on) return on.why;
  tell_device_state(*on, ACL_RT_DEVICE_STATE_SET_PRE);
  const auto used = use_primary(*on);
  if (!used) return used.why;
  make_current(*used);
  tell_device_state(*on, ACL_RT_DEVICE_STATE_SET_POST);
  return {};
}

outcome reset_device(std::int32_t number, reset_kind how) {
  const auto on = find_device(number);
  if (!on) return on.why;
  const auto gone = release_primary(*on, how);
  if (!gone) return gone.why;
  if (*gone == nullptr) return {};
  tell_device_state(*on, ACL_RT_DEVICE_STATE_RESET_PRE);
  close(**gone, ending::after_work);
  forget_failures(*on);
  if (this_thread().current == *gone) make_current(nullptr);
  tell_device_state(*on, ACL_RT_DEVICE_STATE_RESET_POST);
  return {};
}

outcome get_device(std::int32_t* into) {
  if (into == nullptr) return refused("deviceId is NULL");
  auto now = current_context();
  if (now) *into = number((*now)->device);
  now.why.kept = false;
  return now.why;
}

outcome count_devices(std::uint32_t* into) {
  if (into == nullptr) return refused("count is NULL");
  const auto all = device_count();
  if (!all) return outcome_of(all.error());
  *into = static_cast<std::uint32_t>(*all);
  return {};
}

outcome get_run_mode(aclrtRunMode* into) {
  if (into == nullptr) return refused("runMode is NULL");
  *into = this_model().on_device ? ACL_DEVICE : ACL_HOST;
  return {};
}

outcome synchronize_device(std::int32_t milliseconds) {
  if (milliseconds < -1) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "timeout is less than -1, which means for ever");
  }
  const auto now = current_context();
  if (!now) return now.why;
  const device_id on = (*now)->device;
  status s = wait_for(on, milliseconds);
  // What was dropped meanwhile concerns those who waited for its stream; errors are still there.
  if (s.code == errc::aborted) s = wait_for(on, milliseconds);
  if (s.ok()) return {};
  const auto of_device = [on](const stream_record& each) { return each.home->device == on; };
  for (const auto& each : streams().those(of_device)) static_cast<void>(each->ref.clear_error());
  return outcome_of_step(s);
}

outcome abort_device(std::int32_t number) {
  const auto on = find_device(number);
  if (!on) return on.why;
  const auto of_device = [on](const stream_record& each) { return each.home->device == *on; };
  for (const auto& each : streams().those(of_device)) static_cast<void>(each->ref.abort());
  return {};
}

outcome can_access_peer(std::int32_t* into, std::int32_t from, std::int32_t to) {
  const auto both = find_peers(from, to);
  if (both && into != nullptr) *into = 1;
  return both.why;
}

outcome enable_peer_access(std::int32_t to, std::uint32_t flags) {
  if (flags != 0) return failed(ACL_ERROR_FEATURE_UNSUPPORTED, "flags is not 0");
  const auto both = find_peer_of_current(to);
  if (!both) return both.why;
  const status s = device(both->from).enable_access(both->to);
  return s.code == errc::peer_access_already_enabled ? outcome{} : outcome_of(s);
}

outcome disable_peer_access(std::int32_t to) {
  const auto both = find_peer_of_current(to);
  return both ? outcome_of(device(both->from).disable_access(both->to)) : both.why;
}

outcome get_peer_access(std::int32_t from, std::int32_t to, std::int32_t* into) {
  if (into == nullptr) return refused("status is NULL");
  const auto both = find_peers(from, to);
  if (!both) return both.why;
  const auto enabled = device(both->from).has_access(both->to);
  if (!enabled) return outcome_of(enabled.error());
  *into = *enabled ? 1 : 0;
  return {};
}

}  // namespace convoy::ascendcl
