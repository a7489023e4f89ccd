#include "state/devices.hpp"

#include <convoy/device.hpp>

#include "border.hpp"
#include "state/models.hpp"
#include "state/state_callbacks.hpp"

namespace convoy::ascendcl {
namespace {

outcome set(std::int32_t number) {
  const auto on = find_device(number);
  if (!on) return on.why;
  tell_device_state(*on, ACL_RT_DEVICE_STATE_SET_PRE);
  const auto used = use_primary(*on);
  if (!used) return used.why;
  make_current(*used);
  tell_device_state(*on, ACL_RT_DEVICE_STATE_SET_POST);
  return {};
}

outcome reset(std::int32_t number, reset_kind how) {
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

outcome get(std::int32_t* into) {
  if (into == nullptr) return refused("deviceId is NULL");
  auto now = current_context();
  if (now) *into = number((*now)->device);
  now.why.kept = false;
  return now.why;
}

outcome count(std::uint32_t* into) {
  if (into == nullptr) return refused("count is NULL");
  const auto all = device_count();
  if (!all) return outcome_of(all.error());
  *into = static_cast<std::uint32_t>(*all);
  return {};
}

outcome run_mode(aclrtRunMode* into) {
  if (into == nullptr) return refused("runMode is NULL");
  *into = this_model().on_device ? ACL_DEVICE : ACL_HOST;
  return {};
}

status wait_for(device_id on, std::int32_t milliseconds) {
  return milliseconds < 0 ? device(on).synchronize()
                          : device(on).synchronize(std::chrono::milliseconds(milliseconds));
}

outcome synchronize(std::int32_t milliseconds) {
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

outcome abort_all(std::int32_t number) {
  const auto on = find_device(number);
  if (!on) return on.why;
  const auto of_device = [on](const stream_record& each) { return each.home->device == *on; };
  for (const auto& each : streams().those(of_device)) static_cast<void>(each->ref.abort());
  return {};
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

outcome can_access(std::int32_t* into, std::int32_t from, std::int32_t to) {
  const auto both = find_peers(from, to);
  if (both && into != nullptr) *into = 1;
  return both.why;
}

outcome enable_access(std::int32_t to, std::uint32_t flags) {
  if (flags != 0) return failed(ACL_ERROR_FEATURE_UNSUPPORTED, "flags is not 0");
  const auto both = find_peer_of_current(to);
  if (!both) return both.why;
  const status s = device(both->from).enable_access(both->to);
  return s.code == errc::peer_access_already_enabled ? outcome{} : outcome_of(s);
}

outcome disable_access(std::int32_t to) {
  const auto both = find_peer_of_current(to);
  return both ? outcome_of(device(both->from).disable_access(both->to)) : both.why;
}

outcome access_status(std::int32_t from, std::int32_t to, std::int32_t* into) {
  if (into == nullptr) return refused("status is NULL");
  const auto both = find_peers(from, to);
  if (!both) return both.why;
  const auto enabled = device(both->from).has_access(both->to);
  if (!enabled) return outcome_of(enabled.error());
  *into = *enabled ? 1 : 0;
  return {};
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtSetDevice(int32_t deviceId) {
  return answer(__func__, [&] { return set(deviceId); });
}
aclError aclrtResetDevice(int32_t deviceId) {
  return answer(__func__, [&] { return reset(deviceId, reset_kind::when_unused); });
}
aclError aclrtResetDeviceForce(int32_t deviceId) {
  return answer(__func__, [&] { return reset(deviceId, reset_kind::now); });
}
aclError aclrtGetDevice(int32_t* deviceId) {
  return answer(__func__, [&] { return get(deviceId); });
}
aclError aclrtGetDeviceCount(uint32_t* count) {
  return answer(__func__, [&] { return convoy::ascendcl::count(count); });
}
aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return answer(__func__, [&] { return run_mode(runMode); });
}
aclError aclrtSynchronizeDevice(void) {
  return answer(__func__, [&] { return synchronize(-1); });
}
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return answer(__func__, [&] { return synchronize(timeout); });
}
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t) {
  return answer(__func__, [&] { return abort_all(deviceId); });
}
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return answer(__func__, [&] { return can_access(canAccessPeer, deviceId, peerDeviceId); });
}
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return answer(__func__, [&] { return enable_access(peerDeviceId, flags); });
}
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return answer(__func__, [&] { return disable_access(peerDeviceId); });
}
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return answer(__func__, [&] { return access_status(deviceId, peerDeviceId, status); });
}
