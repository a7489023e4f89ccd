#include "calls/streams.hpp"

#include <cstring>
#include <mutex>

namespace convoy::ascendcl {
namespace {

constexpr std::uint32_t every_flag = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                     ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                                     ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

template <class T>
outcome assign(T& into, const void* value, std::size_t bytes) {
  if (bytes != sizeof into) return refused("valueSize is not the size of the attribute");
  std::memcpy(&into, value, bytes);
  return {};
}

// Hands a fact about the stream to `tell`.
template <class T, class Tell>
outcome ask(aclrtStream handle, T* into, const Tell& tell) {
  if (into == nullptr) return refused("the place for the answer is NULL");
  const auto which = find_stream(handle);
  if (which) *into = tell(**which);
  return which.why;
}

// All streams of the context, those to come included.
outcome stop_on_failure(context& which) {
  which.stops_on_failure = true;
  for (const auto& each : streams().those([&](const auto& s) { return s.home.get() == &which; })) {
    static_cast<void>(each->ref.stop_with(which.default_stream));
  }
  return {};
}

}  // namespace

outcome create_stream(aclrtStream* into, const stream_wish& wish) {
  if (into == nullptr) return refused("stream is NULL");
  if ((wish.flags & ~every_flag) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag has bits that mean nothing");
  }
  const auto now = current_context();
  if (!now) return now.why;
  const auto made = make_stream_in(*now, wish);
  if (made) *into = to_handle((*made)->ref.handle());
  return made.why;
}

outcome create_configured_stream(aclrtStream* into, const aclrtStreamConfigHandle* wish) {
  if (wish == nullptr) return refused("handle is NULL");
  return create_stream(into, {static_cast<std::uint32_t>(wish->flag), wish->priority});
}

outcome configure_stream(aclrtStreamConfigHandle* which, aclrtStreamConfigAttr attribute,
                         const void* value, std::size_t bytes) {
  if (which == nullptr || value == nullptr) return refused("handle or attrValue is NULL");
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR: return assign(which->workptr, value, bytes);
    case ACL_RT_STREAM_WORK_SIZE: return assign(which->workSize, value, bytes);
    case ACL_RT_STREAM_FLAG: return assign(which->flag, value, bytes);
    case ACL_RT_STREAM_PRIORITY: return assign(which->priority, value, bytes);
  }
  return refused("attr is none of the attributes");
}

outcome destroy_stream(aclrtStream handle, ending how) {
  if (handle == nullptr) return refused("stream is NULL");
  const auto gone = find_own_stream(handle);
  if (!gone) return gone.why;
  if ((*gone)->standing) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the default stream ends with its context");
  }
  close(**gone, how);
  return {};
}

outcome synchronize_stream(aclrtStream handle, std::int32_t milliseconds) {
  if (milliseconds < -1) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "timeout is less than -1, which means for ever");
  }
  const auto which = find_stream(handle);
  return which ? synchronize(**which, milliseconds) : which.why;
}

outcome query_stream(aclrtStream handle, aclrtStreamStatus* into) {
  if (into == nullptr) return refused("status is NULL");
  const auto which = find_stream(handle);
  if (!which) return which.why;
  const bool busy = (*which)->ref.query().code == errc::not_ready;
  *into = busy ? ACL_STREAM_STATUS_NOT_READY : ACL_STREAM_STATUS_COMPLETE;
  return {};
}

outcome abort_stream(aclrtStream handle) {
  if (handle == nullptr) return refused("stream is NULL");
  const auto which = find_own_stream(handle);
  return which ? outcome_of((*which)->ref.abort()) : which.why;
}

outcome set_failure_mode(aclrtStream handle, std::uint64_t mode) {
  if (mode > ACL_STOP_ON_FAILURE) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "mode is neither continue nor stop");
  }
  const auto which = find_own_stream(handle);
  if (!which) return which.why;
  const auto& home = (*which)->home;
  if (mode == ACL_STOP_ON_FAILURE) return stop_on_failure(*home);
  if (!home->stops_on_failure) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "the context stops on failure, which is for good");
}

outcome set_stream_attribute(aclrtStream handle, aclrtStreamAttr which,
                             aclrtStreamAttrValue* value) {
  if (value == nullptr) return refused("value is NULL");
  if (which == ACL_STREAM_ATTR_FAILURE_MODE) return set_failure_mode(handle, value->failureMode);
  const auto to = find_own_stream(handle);
  if (!to) return to.why;
  const std::lock_guard held((*to)->mutex);
  switch (which) {
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      (*to)->overflow_switch = value->overflowSwitch;
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG: (*to)->custom_tag = value->userCustomTag; return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO: (*to)->cache_switch = value->cacheOpInfoSwitch; return {};
    case ACL_STREAM_ATTR_PRIORITY: (*to)->priority = value->streamPriority; return {};
    case ACL_STREAM_ATTR_FAILURE_MODE: break;
  }
  return refused("stmAttrType is none of the attributes");
}

outcome get_stream_attribute(aclrtStream handle, aclrtStreamAttr which,
                             aclrtStreamAttrValue* value) {
  if (value == nullptr) return refused("value is NULL");
  const auto from = find_own_stream(handle);
  if (!from) return from.why;
  const std::lock_guard held((*from)->mutex);
  *value = {};
  switch (which) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value->failureMode = (*from)->home->stops_on_failure ? 1 : 0;
      return {};
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value->overflowSwitch = (*from)->overflow_switch;
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG: value->userCustomTag = (*from)->custom_tag; return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO: value->cacheOpInfoSwitch = (*from)->cache_switch; return {};
    case ACL_STREAM_ATTR_PRIORITY: value->streamPriority = (*from)->priority; return {};
  }
  return refused("stmAttrType is none of the attributes");
}

outcome set_overflow_switch(aclrtStream handle, std::uint32_t flag) {
  aclrtStreamAttrValue value = {};
  value.overflowSwitch = flag;
  return set_stream_attribute(handle, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value);
}

outcome get_overflow_switch(aclrtStream handle, std::uint32_t* into) {
  if (into == nullptr) return refused("flag is NULL");
  aclrtStreamAttrValue value = {};
  auto asked = get_stream_attribute(handle, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value);
  if (asked.ok()) *into = value.overflowSwitch;
  return asked;
}

outcome count_available_streams(std::uint32_t* into) {
  if (into == nullptr) return refused("streamCount is NULL");
  const auto now = current_context();
  if (now) *into = streams_left_on((*now)->device);
  return now.why;
}

outcome destroy_configuration(aclrtStreamConfigHandle* gone) {
  if (gone == nullptr) return refused("handle is NULL");
  delete gone;
  return {};
}

outcome get_stream_id(aclrtStream handle, std::int32_t* into) {
  return ask(handle, into, [](const stream_record& s) { return s.id; });
}

outcome get_stream_priority(aclrtStream handle, std::uint32_t* into) {
  return ask(handle, into, [](const stream_record& s) { return s.priority; });
}

outcome get_stream_flags(aclrtStream handle, std::uint32_t* into) {
  return ask(handle, into, [](const stream_record& s) { return s.flags; });
}

}  // namespace convoy::ascendcl
