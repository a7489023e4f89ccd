// Events and operator timeouts.
#include "calls/events.hpp"

#include "exports/acl_call.hpp"

using namespace convoy::ascendcl;

aclError aclrtCreateEvent(aclrtEvent* event) {
  return acl_call(__func__,
                  [&] { return create_event(event, default_event_flags, event_mode::standard); });
}
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return acl_call(__func__, [&] { return create_event(event, flag, event_mode::standard); });
}
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return acl_call(__func__, [&] { return create_event(event, flag, event_mode::extended); });
}
aclError aclrtDestroyEvent(aclrtEvent event) {
  return acl_call(__func__, [&] { return destroy_event(event); });
}
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return acl_call(__func__, [&] { return record_event(event, stream, 0); });
}
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return acl_call(__func__, [&] { return record_event(event, stream, flag); });
}
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return acl_call(__func__, [&] { return reset_event(event, stream); });
}
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return acl_call(__func__, [&] { return wait_for_event(stream, event, 0); });
}
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return acl_call(__func__, [&] { return wait_for_event_with_timeout(stream, event, timeout); });
}
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t,
                                      uint32_t flag) {
  return acl_call(__func__, [&] { return wait_for_event(stream, event, flag); });
}
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return acl_call(__func__, [&] { return query_event(event, status); });
}
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return acl_call(__func__, [&] { return query_event_recorded(event, status); });
}
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return acl_call(__func__, [&] { return query_event_waits(event, status); });
}
aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return acl_call(__func__, [&] { return synchronize_event(event, -1); });
}
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return acl_call(__func__, [&] { return synchronize_event(event, timeout); });
}
aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return acl_call(__func__, [&] { return get_elapsed_time(ms, startEvent, endEvent); });
}
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return acl_call(__func__, [&] { return get_event_timestamp(event, timestamp); });
}
aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return acl_call(__func__, [&] { return get_event_id(event, eventId); });
}
aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return acl_call(__func__, [&] { return count_available_events(eventCount); });
}
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return acl_call(__func__, [&] { return export_event_handle(event, handle); });
}
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return acl_call(__func__, [&] { return import_event_handle(handle, event); });
}
aclError aclrtSetOpWaitTimeout(uint32_t) {
  return acl_call(__func__, [] { return set_operator_timeout(); });
}
aclError aclrtSetOpExecuteTimeOut(uint32_t) {
  return acl_call(__func__, [] { return set_operator_timeout(); });
}
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t) {
  return acl_call(__func__, [] { return set_operator_timeout(); });
}
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return acl_call(__func__, [&] { return set_operator_timeout(timeout, actualTimeout); });
}
