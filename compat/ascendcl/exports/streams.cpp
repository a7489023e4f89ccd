// Streams, stream values and callbacks.
#include "calls/streams.hpp"

#include <new>

#include "calls/callbacks.hpp"
#include "exports/acl_call.hpp"
#include "state/state_callbacks.hpp"

using namespace convoy::ascendcl;

aclError aclrtCreateStream(aclrtStream* stream) {
  return acl_call(__func__, [&] { return create_stream(stream, {}); });
}
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return acl_call(__func__, [&] { return create_stream(stream, {flag, priority}); });
}
aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return acl_call(__func__, [&] { return create_configured_stream(stream, handle); });
}
aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void) {
  return new (std::nothrow) aclrtStreamConfigHandle{};
}
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return acl_call(__func__, [&] { return destroy_configuration(handle); });
}
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return acl_call(__func__, [&] { return configure_stream(handle, attr, attrValue, valueSize); });
}
aclError aclrtDestroyStream(aclrtStream stream) {
  return acl_call(__func__, [&] { return destroy_stream(stream, close_mode::after_work); });
}
aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return acl_call(__func__, [&] { return destroy_stream(stream, close_mode::abort_work); });
}
aclError aclrtSynchronizeStream(aclrtStream stream) {
  return acl_call(__func__, [&] { return synchronize_stream(stream, -1); });
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return acl_call(__func__, [&] { return synchronize_stream(stream, timeout); });
}
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return acl_call(__func__, [&] { return query_stream(stream, status); });
}
aclError aclrtStreamAbort(aclrtStream stream) {
  return acl_call(__func__, [&] { return abort_stream(stream); });
}
aclError aclrtStreamStop(aclrtStream stream) {
  return acl_call(__func__, [&] { return abort_stream(stream); });
}
aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return acl_call(__func__, [&] { return get_stream_id(stream, streamId); });
}
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return acl_call(__func__, [&] { return get_stream_priority(stream, priority); });
}
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return acl_call(__func__, [&] { return get_stream_flags(stream, flags); });
}
aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return acl_call(__func__, [&] { return count_available_streams(streamCount); });
}
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return acl_call(__func__, [&] { return set_failure_mode(stream, mode); });
}
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return acl_call(__func__, [&] { return set_stream_attribute(stream, stmAttrType, value); });
}
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return acl_call(__func__, [&] { return get_stream_attribute(stream, stmAttrType, value); });
}
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return acl_call(__func__, [&] { return set_overflow_switch(stream, flag); });
}
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return acl_call(__func__, [&] { return get_overflow_switch(stream, flag); });
}

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return acl_call(__func__, [&] { return write_stream_value(devAddr, value, flag, stream); });
}
aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return acl_call(__func__, [&] { return wait_for_stream_value(devAddr, value, flag, stream); });
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return acl_call(__func__, [&] { return subscribe(callback_family::reports, threadId, stream); });
}
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return acl_call(__func__,
                  [&] { return unsubscribe(callback_family::reports, threadId, stream); });
}
aclError aclrtProcessReport(int32_t timeout) {
  return acl_call(__func__, [&] { return process_callback(callback_family::reports, timeout); });
}
aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return acl_call(__func__, [&] { return launch_callback(stream, fn, userData, blockType); });
}
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return acl_call(__func__, [&] { return launch_host_function(stream, fn, args); });
}
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return acl_call(__func__, [&] {
    return subscribe(callback_family::host_functions, hostFuncThreadId, exeStream);
  });
}
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return acl_call(__func__, [&] {
    return unsubscribe(callback_family::host_functions, hostFuncThreadId, exeStream);
  });
}
aclError aclrtProcessHostFunc(int32_t timeout) {
  return acl_call(__func__,
                  [&] { return process_callback(callback_family::host_functions, timeout); });
}
aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return acl_call(__func__, [&] { return stream_state_callbacks().set(regName, callback, args); });
}
aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  return acl_call(__func__, [&] { return device_state_callbacks().set(regName, callback, args); });
}
aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return acl_call(__func__, [&] { return get_last_task(taskId); });
}

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return acl_call(__func__, [&] { return set_exception_callback(callback); });
}

// The result of the functions below for NULL.
static constexpr uint32_t no_number = 0xFFFFFFFF;

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? no_number : info->task;
}
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? no_number : info->stream;
}
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? no_number : info->thread;
}
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? no_number : info->device;
}
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? no_number : info->code;
}
