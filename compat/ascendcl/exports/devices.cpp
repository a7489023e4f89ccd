// Contexts, devices and their attributes.
#include "calls/devices.hpp"

#include "exports/acl_call.hpp"

using namespace convoy::ascendcl;

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return acl_call(__func__, [&] { return create_context(context, deviceId); });
}
aclError aclrtDestroyContext(aclrtContext context) {
  return acl_call(__func__, [&] { return destroy_context(context); });
}
aclError aclrtSetCurrentContext(aclrtContext context) {
  return acl_call(__func__, [&] { return set_current_context(context); });
}
aclError aclrtGetCurrentContext(aclrtContext* context) {
  return acl_call(__func__, [&] { return get_current_context(context); });
}
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return acl_call(__func__, [&] { return get_default_stream(stream); });
}
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return acl_call(__func__, [&] { return get_primary_state(deviceId, flags, active); });
}
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return acl_call(__func__, [&] { return set_context_option(opt, value); });
}
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return acl_call(__func__, [&] { return get_context_option(opt, value); });
}
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return acl_call(__func__, [&] { return set_process_option(opt, value); });
}
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return acl_call(__func__, [&] { return get_process_option(opt, value); });
}

aclError aclrtSetDevice(int32_t deviceId) {
  return acl_call(__func__, [&] { return set_device(deviceId); });
}
aclError aclrtResetDevice(int32_t deviceId) {
  return acl_call(__func__, [&] { return reset_device(deviceId, reset_kind::when_unused); });
}
aclError aclrtResetDeviceForce(int32_t deviceId) {
  return acl_call(__func__, [&] { return reset_device(deviceId, reset_kind::force); });
}
aclError aclrtGetDevice(int32_t* deviceId) {
  return acl_call(__func__, [&] { return get_device(deviceId); });
}
aclError aclrtGetDeviceCount(uint32_t* count) {
  return acl_call(__func__, [&] { return count_devices(count); });
}
aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return acl_call(__func__, [&] { return get_run_mode(runMode); });
}
aclError aclrtSynchronizeDevice(void) {
  return acl_call(__func__, [&] { return synchronize_device(-1); });
}
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return acl_call(__func__, [&] { return synchronize_device(timeout); });
}
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t) {
  return acl_call(__func__, [&] { return abort_device(deviceId); });
}
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return acl_call(__func__, [&] { return can_access_peer(canAccessPeer, deviceId, peerDeviceId); });
}
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return acl_call(__func__, [&] { return enable_peer_access(peerDeviceId, flags); });
}
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return acl_call(__func__, [&] { return disable_peer_access(peerDeviceId); });
}
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return acl_call(__func__, [&] { return get_peer_access(deviceId, peerDeviceId, status); });
}

aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return acl_call(__func__, [&] { return choose_scheduler(tsId); });
}
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return acl_call(__func__, [&] { return get_device_attribute(deviceId, attr, value); });
}
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return acl_call(__func__, [&] { return get_device_capability(deviceId, deviceInfo, value); });
}
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType, int32_t* value) {
  return acl_call(__func__, [&] { return get_device_feature(deviceId, value); });
}
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return acl_call(__func__, [&] { return get_device_status(deviceId, deviceStatus); });
}
aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return acl_call(__func__, [&] { return get_priority_range(leastPriority, greatestPriority); });
}
aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return acl_call(__func__, [&] { return get_process_id(pid); });
}
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return acl_call(__func__, [&] { return get_device_uuid(deviceId, uuid); });
}
aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return acl_call(__func__, [&] { return get_logical_number(userDevid, logicDevId); });
}
aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return acl_call(__func__, [&] { return get_program_number(logicDevId, userDevid); });
}
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return acl_call(__func__, [&] { return check_logical_number(phyDevId, logicDevId); });
}
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return acl_call(__func__, [&] { return check_logical_number(logicDevId, phyDevId); });
}
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return acl_call(__func__, [&] { return get_logical_number(userDevId, phyDevId); });
}
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return acl_call(__func__, [&] { return get_program_number(phyDevId, userDevId); });
}
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return acl_call(__func__, [&] { return get_device_link(deviceId, otherDeviceId, value); });
}
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return acl_call(__func__, [&] { return get_utilization(deviceId, utilizationInfo); });
}
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return acl_call(__func__,
                  [&] { return get_core_limit(core_limit_owner(deviceId), type, value); });
}
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return acl_call(__func__,
                  [&] { return set_core_limit(core_limit_owner(deviceId), type, value); });
}
aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return acl_call(__func__, [&] { return reset_core_limits(core_limit_owner(deviceId)); });
}
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return acl_call(__func__, [&] { return get_core_limit(core_limit_owner(stream), type, value); });
}
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return acl_call(__func__, [&] { return set_core_limit(core_limit_owner(stream), type, value); });
}
aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return acl_call(__func__, [&] { return reset_core_limits(core_limit_owner(stream)); });
}
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return acl_call(__func__, [&] { return use_core_limits(stream, stream); });
}
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return acl_call(__func__, [&] { return use_core_limits(stream, nullptr); });
}
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return acl_call(__func__, [&] { return get_thread_core_limit(type, value); });
}
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return acl_call(__func__, [&] { return get_device_error(deviceId, errorInfo); });
}
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return acl_call(__func__, [&] { return repair_device_error(deviceId, errorInfo); });
}
