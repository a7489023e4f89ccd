// acl.rt: streams and events.

#include <acl/acl.h>

#include "records.hpp"
#include "tables.hpp"

namespace convoy::python {
namespace {

// The member of aclrtStreamAttrValue that belongs to an attribute; null for an unknown one.
const char* field_of(aclrtStreamAttr type) {
  constexpr const char* fields[] = {nullptr,         "failureMode",       "overflowSwitch",
                                    "userCustomTag", "cacheOpInfoSwitch", "streamPriority"};
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(fields) ? fields[number] : nullptr;
}

// The widest member starts where all of them do, and is zero behind the narrow ones.
PyObject* set_stream_attribute(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  aclrtStream stream = nullptr;
  aclrtStreamAttr type = {};
  if (!has_arguments("set_stream_attribute", given, 3) || !from_python(arguments[0], stream) ||
      !from_python(arguments[1], type) || !is_dict(arguments[2], "value")) {
    return nullptr;
  }
  aclrtStreamAttrValue value = {};
  if (field_of(type) != nullptr && !read_key(arguments[2], field_of(type), value.failureMode)) {
    return nullptr;
  }
  return to_python(aclrtSetStreamAttribute(stream, type, &value));
}

PyObject* get_stream_attribute(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  aclrtStream stream = nullptr;
  aclrtStreamAttr type = {};
  if (!has_arguments("get_stream_attribute", given, 2) || !from_python(arguments[0], stream) ||
      !from_python(arguments[1], type)) {
    return nullptr;
  }
  aclrtStreamAttrValue value = {};
  const aclError ret = aclrtGetStreamAttribute(stream, type, &value);
  if (ret != ACL_SUCCESS || field_of(type) == nullptr) return Py_BuildValue("({}i)", ret);
  return Py_BuildValue("({s:K}i)", field_of(type),
                       static_cast<unsigned long long>(value.failureMode), ret);
}

}  // namespace

void add_stream_rows(table& rows) {
  rows.insert(
      rows.end(),
      {
          row<"create_stream", aclrtCreateStream, outputs<0>>(),
          row<"create_stream_with_config", aclrtCreateStreamWithConfig, outputs<0>>(),
          waiting_row<"destroy_stream", aclrtDestroyStream>(),
          waiting_row<"destroy_stream_force", aclrtDestroyStreamForce>(),
          waiting_row<"synchronize_stream", aclrtSynchronizeStream>(),
          waiting_row<"synchronize_stream_with_timeout", aclrtSynchronizeStreamWithTimeout>(),
          row<"stream_query", aclrtStreamQuery, outputs<1>>(),
          waiting_row<"stream_abort", aclrtStreamAbort>(),
          row<"stream_get_id", aclrtStreamGetId, outputs<1>>(),
          row<"get_stream_available_num", aclrtGetStreamAvailableNum, outputs<0>>(),
          row<"set_stream_failure_mode", aclrtSetStreamFailureMode>(),
          row("set_stream_attribute", &set_stream_attribute),
          row("get_stream_attribute", &get_stream_attribute),

          row<"create_event", aclrtCreateEvent, outputs<0>>(),
          row<"create_event_with_flag", aclrtCreateEventWithFlag, outputs<0>>(),
          row<"create_event_ex_with_flag", aclrtCreateEventExWithFlag, outputs<0>>(),
          row<"destroy_event", aclrtDestroyEvent>(),
          row<"record_event", aclrtRecordEvent>(),
          row<"reset_event", aclrtResetEvent>(),
          waiting_row<"stream_wait_event", aclrtStreamWaitEvent>(),
          waiting_row<"synchronize_event", aclrtSynchronizeEvent>(),
          waiting_row<"synchronize_event_with_timeout", aclrtSynchronizeEventWithTimeout>(),
          row<"query_event", aclrtQueryEvent, outputs<1>>(),
          row<"query_event_status", aclrtQueryEventStatus, outputs<1>>(),
          row<"query_event_wait_status", aclrtQueryEventWaitStatus, outputs<1>>(),
          row<"event_elapsed_time", aclrtEventElapsedTime, outputs<0>>(),
          row<"event_get_timestamp", aclrtEventGetTimestamp, outputs<1>>(),
          row<"get_event_id", aclrtGetEventId, outputs<1>>(),
      });
}

}  // namespace convoy::python
