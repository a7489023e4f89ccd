#include "calls/streams.hpp"

#include <cstring>
#include <mutex>
#include <string>

namespace convoy::ascendcl {
namespace {

constexpr std::uint32_t all_flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                    ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                                    ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

template <class T>
call_status assign(T& into, const void* value, std::size_t bytes) {
  if (bytes != sizeof into) {
    return invalid_param("valueSize is " + std::to_string(bytes) + ", the attribute has " +
                         std::to_string(sizeof into) + " bytes");
  }
  std::memcpy(&into, value, bytes);
  return {};
}

// Programs pass the flag as the uint32_t that aclrtCreateStreamWithConfig takes, or as the size_t
// of the handle.
call_status assign_flag(std::size_t& into, const void* value, std::size_t bytes) {
  std::uint32_t narrow = 0;
  if (bytes != sizeof narrow) return assign(into, value, bytes);
  std::memcpy(&narrow, value, bytes);
  into = narrow;
  return {};
}

// Stores property(stream) if the stream exists.
template <class T, class Property>
call_status get_property(aclrtStream handle, T* into, const Property& property) {
  if (into == nullptr) return invalid_param("the output pointer is NULL");
  const auto found = find_stream(handle);
  if (found) *into = property(**found);
  return found.error;
}

// For all streams of the context; add_stream() does the same for later ones.
call_status stop_on_failure(context& owner) {
  owner.stops_on_failure = true;
  for (const auto& each : streams_of(owner)) {
    static_cast<void>(each->ref.stop_with(owner.default_stream));
  }
  return {};
}

}  // namespace

call_status create_stream(aclrtStream* into, const stream_settings& settings) {
  if (into == nullptr) return invalid_param("stream is NULL");
  if ((settings.flags & ~all_flags) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag has unknown bits");
  }
  const auto current = current_context();
  if (!current) return current.error;
  const auto made = add_stream(*current, settings);
  if (made) *into = to_handle((*made)->ref.handle());
  return made.error;
}

call_status create_configured_stream(aclrtStream* into,
                                     const aclrtStreamConfigHandle* configuration) {
  if (configuration == nullptr) return invalid_param("handle is NULL");
  return create_stream(into,
                       {static_cast<std::uint32_t>(configuration->flag), configuration->priority});
}

call_status configure_stream(aclrtStreamConfigHandle* configuration,
                             aclrtStreamConfigAttr attribute, const void* value,
                             std::size_t bytes) {
  if (configuration == nullptr || value == nullptr)
    return missing_argument({{"handle", configuration}, {"attrValue", value}});
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR: return assign(configuration->workptr, value, bytes);
    case ACL_RT_STREAM_WORK_SIZE: return assign(configuration->workSize, value, bytes);
    case ACL_RT_STREAM_FLAG: return assign_flag(configuration->flag, value, bytes);
    case ACL_RT_STREAM_PRIORITY: return assign(configuration->priority, value, bytes);
  }
  return invalid_param("attr is not a known attribute");
}

call_status destroy_stream(aclrtStream handle, close_mode mode) {
  if (handle == nullptr)
    return invalid_param("stream is NULL: the default stream is destroyed with its context");
  const auto found = find_stream_in_context(handle);
  if (!found) return found.error;
  if ((*found)->is_default) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the default stream is destroyed with its context");
  }
  close(**found, mode);
  return {};
}

call_status synchronize_stream(aclrtStream handle, std::int32_t milliseconds) {
  if (auto checked = check_timeout(milliseconds); !checked.ok()) return checked;
  const auto found = find_stream(handle);
  return found ? synchronize(**found, milliseconds) : found.error;
}

call_status query_stream(aclrtStream handle, aclrtStreamStatus* into) {
  if (into == nullptr) return invalid_param("status is NULL");
  const auto found = find_stream(handle);
  if (!found) return found.error;
  const bool busy = (*found)->ref.query().code == errc::not_ready;
  *into = busy ? ACL_STREAM_STATUS_NOT_READY : ACL_STREAM_STATUS_COMPLETE;
  return {};
}

call_status abort_stream(aclrtStream handle) {
  if (handle == nullptr)
    return invalid_param("stream is NULL: the default stream cannot be aborted, create one");
  const auto found = find_stream_in_context(handle);
  if (!found) return found.error;
  if ((*found)->ref.query().code == errc::not_ready) (*found)->abort_unanswered = true;
  return call_status_of((*found)->ref.abort());
}

call_status set_failure_mode(aclrtStream handle, std::uint64_t mode) {
  if (mode > ACL_STOP_ON_FAILURE) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "mode is neither 0 (continue) nor 1 (stop)");
  }
  const auto found = find_stream_in_context(handle);
  if (!found) return found.error;
  const auto& owner = (*found)->owner;
  if (mode == ACL_STOP_ON_FAILURE) return stop_on_failure(*owner);
  if (!owner->stops_on_failure) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "the context stops on failure, which cannot be undone");
}

call_status set_stream_attribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  if (value == nullptr) return invalid_param("value is NULL");
  if (attribute == ACL_STREAM_ATTR_FAILURE_MODE)
    return set_failure_mode(handle, value->failureMode);
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  const std::lock_guard held((*stream)->mutex);
  switch (attribute) {
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      (*stream)->overflow_switch = value->overflowSwitch;
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG: (*stream)->custom_tag = value->userCustomTag; return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      (*stream)->cache_switch = value->cacheOpInfoSwitch;
      return {};
    case ACL_STREAM_ATTR_PRIORITY: (*stream)->priority = value->streamPriority; return {};
    case ACL_STREAM_ATTR_FAILURE_MODE: break;
  }
  return invalid_param("stmAttrType is not a known attribute");
}

call_status get_stream_attribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  if (value == nullptr) return invalid_param("value is NULL");
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  const std::lock_guard held((*stream)->mutex);
  *value = {};
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value->failureMode = (*stream)->owner->stops_on_failure ? 1 : 0;
      return {};
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value->overflowSwitch = (*stream)->overflow_switch;
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG: value->userCustomTag = (*stream)->custom_tag; return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      value->cacheOpInfoSwitch = (*stream)->cache_switch;
      return {};
    case ACL_STREAM_ATTR_PRIORITY: value->streamPriority = (*stream)->priority; return {};
  }
  return invalid_param("stmAttrType is not a known attribute");
}

call_status set_overflow_switch(aclrtStream handle, std::uint32_t flag) {
  aclrtStreamAttrValue value = {};
  value.overflowSwitch = flag;
  return set_stream_attribute(handle, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value);
}

call_status get_overflow_switch(aclrtStream handle, std::uint32_t* into) {
  if (into == nullptr) return invalid_param("flag is NULL");
  aclrtStreamAttrValue value = {};
  auto answered = get_stream_attribute(handle, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value);
  if (answered.ok()) *into = value.overflowSwitch;
  return answered;
}

call_status count_available_streams(std::uint32_t* into) {
  if (into == nullptr) return invalid_param("streamCount is NULL");
  const auto current = current_context();
  if (current) *into = available_streams((*current)->device);
  return current.error;
}

call_status destroy_configuration(aclrtStreamConfigHandle* configuration) {
  if (configuration == nullptr) return invalid_param("handle is NULL");
  delete configuration;
  return {};
}

call_status get_stream_id(aclrtStream handle, std::int32_t* into) {
  return get_property(handle, into, [](const stream_record& s) { return s.id; });
}

call_status get_stream_priority(aclrtStream handle, std::uint32_t* into) {
  return get_property(handle, into, [](const stream_record& s) { return s.priority; });
}

call_status get_stream_flags(aclrtStream handle, std::uint32_t* into) {
  return get_property(handle, into, [](const stream_record& s) { return s.flags; });
}

}  // namespace convoy::ascendcl
