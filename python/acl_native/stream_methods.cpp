// acl.rt: streams and events.

#include <acl/acl.h>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

// The member of aclrtStreamAttrValue for an attribute; null for an unknown one.
const char* field_of(aclrtStreamAttr type) {
  constexpr const char* fields[] = {nullptr,         "failureMode",       "overflowSwitch",
                                    "userCustomTag", "cacheOpInfoSwitch", "streamPriority"};
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(fields) ? fields[number] : nullptr;
}

// The value is read as the widest member of the union, which starts where all members do.
PyObject* set_stream_attribute(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  aclrtStream stream = nullptr;
  aclrtStreamAttr type = {};
  PyObject* dict = nullptr;
  aclrtStreamAttrValue value = {};
  if (!read_arguments("set_stream_attribute", {arguments, argc}, stream, type, dict) ||
      !is_dict(dict, "value") ||
      (field_of(type) != nullptr && !read_key(dict, field_of(type), value.failureMode))) {
    return nullptr;
  }
  return to_python(aclrtSetStreamAttribute(stream, type, &value));
}

PyObject* get_stream_attribute(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  aclrtStream stream = nullptr;
  aclrtStreamAttr type = {};
  if (!read_arguments("get_stream_attribute", {arguments, argc}, stream, type)) return nullptr;
  aclrtStreamAttrValue value = {};
  const aclError ret = aclrtGetStreamAttribute(stream, type, &value);
  if (ret != ACL_SUCCESS || field_of(type) == nullptr) return Py_BuildValue("({}i)", ret);
  return Py_BuildValue("({s:K}i)", field_of(type),
                       static_cast<unsigned long long>(value.failureMode), ret);
}

}  // namespace

void add_stream_methods(method_table& methods) {
  methods.insert(
      methods.end(),
      {
          method<"create_stream", aclrtCreateStream, outputs<0>>(),
          method<"create_stream_with_config", aclrtCreateStreamWithConfig, outputs<0>>(),
          blocking_method<"destroy_stream", aclrtDestroyStream>(),
          blocking_method<"destroy_stream_force", aclrtDestroyStreamForce>(),
          blocking_method<"synchronize_stream", aclrtSynchronizeStream>(),
          blocking_method<"synchronize_stream_with_timeout", aclrtSynchronizeStreamWithTimeout>(),
          method<"stream_query", aclrtStreamQuery, outputs<1>>(),
          blocking_method<"stream_abort", aclrtStreamAbort>(),
          method<"stream_get_id", aclrtStreamGetId, outputs<1>>(),
          method<"get_stream_available_num", aclrtGetStreamAvailableNum, outputs<0>>(),
          method<"set_stream_failure_mode", aclrtSetStreamFailureMode>(),
          method("set_stream_attribute", &set_stream_attribute),
          method("get_stream_attribute", &get_stream_attribute),

          method<"create_event", aclrtCreateEvent, outputs<0>>(),
          method<"create_event_with_flag", aclrtCreateEventWithFlag, outputs<0>>(),
          method<"create_event_ex_with_flag", aclrtCreateEventExWithFlag, outputs<0>>(),
          method<"destroy_event", aclrtDestroyEvent>(),
          method<"record_event", aclrtRecordEvent>(),
          method<"reset_event", aclrtResetEvent>(),
          blocking_method<"stream_wait_event", aclrtStreamWaitEvent>(),
          blocking_method<"synchronize_event", aclrtSynchronizeEvent>(),
          blocking_method<"synchronize_event_with_timeout", aclrtSynchronizeEventWithTimeout>(),
          method<"query_event", aclrtQueryEvent, outputs<1>>(),
          method<"query_event_status", aclrtQueryEventStatus, outputs<1>>(),
          method<"query_event_wait_status", aclrtQueryEventWaitStatus, outputs<1>>(),
          method<"event_elapsed_time", aclrtEventElapsedTime, outputs<0>>(),
          method<"event_get_timestamp", aclrtEventGetTimestamp, outputs<1>>(),
          method<"get_event_id", aclrtGetEventId, outputs<1>>(),
      });
}

}  // namespace convoy::python
