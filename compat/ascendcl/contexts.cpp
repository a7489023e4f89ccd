#include "border.hpp"
#include "state/devices.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

outcome create(aclrtContext* into, std::int32_t on) {
  if (into == nullptr) return refused("context is NULL");
  const auto made = make_context(device_id{on}, false);
  if (!made) return made.why;
  make_current(*made);
  *into = to_handle((*made)->number);
  return {};
}

outcome destroy(aclrtContext handle) {
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

outcome set_current(aclrtContext handle) {
  if (handle == nullptr) return refused("context is NULL");
  const auto next = find_context(handle);
  if (!next) return next.why;
  make_current(*next);
  return {};
}

outcome get_current(aclrtContext* into) {
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

bool is_option(aclSysParamOpt option) {
  return option >= ACL_OPT_DETERMINISTIC && option <= ACL_OPT_STRONG_CONSISTENCY;
}

outcome set_option(aclSysParamOpt option, std::int64_t value) {
  if (!is_option(option)) return refused("opt is none of the options");
  const auto now = current_context();
  if (now) (*now)->options[static_cast<std::size_t>(option)] = value;
  return now.why;
}

outcome get_option(aclSysParamOpt option, std::int64_t* into) {
  if (!is_option(option)) return refused("opt is none of the options");
  if (into == nullptr) return refused("value is NULL");
  const auto now = current_context();
  if (now) *into = (*now)->options[static_cast<std::size_t>(option)];
  return now.why;
}

// The same options for the whole process.
std::array<std::atomic<std::int64_t>, 3> process_options;

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

outcome primary_state(std::int32_t wanted, std::uint32_t* flags, std::int32_t* active) {
  if (flags == nullptr || active == nullptr) return refused("flags or active is NULL");
  const auto on = find_device(wanted);
  if (!on) return on.why;
  *flags = 0;
  *active = has_primary(*on) ? 1 : 0;
  return {};
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return answer(__func__, [&] { return create(context, deviceId); });
}
aclError aclrtDestroyContext(aclrtContext context) {
  return answer(__func__, [&] { return destroy(context); });
}
aclError aclrtSetCurrentContext(aclrtContext context) {
  return answer(__func__, [&] { return set_current(context); });
}
aclError aclrtGetCurrentContext(aclrtContext* context) {
  return answer(__func__, [&] { return get_current(context); });
}
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return answer(__func__, [&] { return get_default_stream(stream); });
}
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return answer(__func__, [&] { return primary_state(deviceId, flags, active); });
}
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return answer(__func__, [&] { return set_option(opt, value); });
}
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return answer(__func__, [&] { return get_option(opt, value); });
}
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return answer(__func__, [&] { return set_process_option(opt, value); });
}
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return answer(__func__, [&] { return get_process_option(opt, value); });
}
