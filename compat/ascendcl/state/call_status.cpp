#include "state/call_status.hpp"

#include <algorithm>
#include <string>

#include "state/thread.hpp"

namespace convoy::ascendcl {
namespace {

// No default case: a new errc breaks the build here until it is mapped.
aclError to_acl(errc code) {
  switch (code) {
    case errc::ok: return ACL_SUCCESS;
    case errc::size_exceeds_capacity: return ACL_ERROR_INVALID_PARAM;
    case errc::invalid_argument:
    case errc::null_pointer:
    case errc::zero_size:
    case errc::leaves_allocation:
    case errc::wrong_location:
    case errc::wrong_direction:
    case errc::mixed_directions:
    case errc::invalid_runs:
    case errc::invalid_access_order:
    case errc::too_many_copies:
    case errc::invalid_pitch:
    case errc::not_an_allocation:
    case errc::peer_access_already_enabled:
    case errc::peer_access_not_enabled:
    case errc::not_permitted: return ACL_ERROR_RT_PARAM_INVALID;
    case errc::invalid_device: return ACL_ERROR_RT_INVALID_DEVICEID;
    case errc::wrong_device: return ACL_ERROR_RT_STREAM_CONTEXT;
    case errc::invalid_handle:
    case errc::destroyed_handle: return ACL_ERROR_RT_INVALID_HANDLE;
    case errc::already_registered: return ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    case errc::not_registered: return ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    case errc::not_recorded:
    case errc::not_ready: return ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID;
    case errc::not_supported: return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case errc::out_of_memory: return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case errc::timed_out: return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    case errc::aborted: return ACL_ERROR_RT_STREAM_ABORT;
    case errc::fault: return ACL_ERROR_RT_COPY_DATA;
    case errc::no_peer_access:
    case errc::device_failure: return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    case errc::function_threw:
    case errc::out_of_threads:
    case errc::forked: return ACL_ERROR_RT_INTERNAL_ERROR;
    case errc::bad_configuration: return ACL_ERROR_RT_DEV_SETUP_ERROR;
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

}  // namespace

call_status failed_unrecorded(aclError code, std::string_view text) {
  this_thread().error_text = text;
  return {code, false};
}

call_status failed(aclError code, std::string_view text) {
  this_thread().error_text = text;
  return {code, true};
}

call_status invalid_param(std::string_view text) {
  return failed_unrecorded(ACL_ERROR_INVALID_PARAM, text);
}

call_status missing_argument(std::initializer_list<required_argument> all) {
  const auto is_missing = [](const required_argument& each) { return !each.problem.empty(); };
  const auto* const missing = std::find_if(all.begin(), all.end(), is_missing);
  return invalid_param(std::string(missing->name).append(missing->problem));
}

call_status unsupported(std::string_view text) {
  return failed_unrecorded(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, text);
}

call_status call_status_of(const status& s) {
  if (s.ok()) return {};
  const aclError code = to_acl(s.code);
  return code == ACL_ERROR_INVALID_PARAM ? invalid_param(explain(s)) : failed(code, explain(s));
}

aclError error_code_of_step(const status& s) {
  const aclError code = to_acl(s.code);
  // A check that fails while the step runs is a failed copy, not an invalid argument of this call.
  const bool refused_late = code == ACL_ERROR_INVALID_PARAM || code == ACL_ERROR_RT_PARAM_INVALID;
  return refused_late ? ACL_ERROR_RT_COPY_DATA : code;
}

call_status call_status_of_step(const status& s) {
  return s.ok() ? call_status{} : failed(error_code_of_step(s), explain(s));
}

}  // namespace convoy::ascendcl
