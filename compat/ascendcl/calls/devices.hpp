// Contexts and devices: setting, resetting, waiting, peers, and what programs can ask of a device.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/devices.hpp"
#include "state/outcome.hpp"

namespace convoy::ascendcl {

outcome create_context(aclrtContext* into, std::int32_t on);
outcome destroy_context(aclrtContext handle);
outcome set_current_context(aclrtContext handle);
outcome get_current_context(aclrtContext* into);
outcome get_default_stream(aclrtStream* into);
outcome get_primary_state(std::int32_t device, std::uint32_t* flags, std::int32_t* active);

// Options of the current context, and of the process.
outcome set_context_option(aclSysParamOpt option, std::int64_t value);
outcome get_context_option(aclSysParamOpt option, std::int64_t* into);
outcome set_process_option(aclSysParamOpt option, std::int64_t value);
outcome get_process_option(aclSysParamOpt option, std::int64_t* into);

outcome set_device(std::int32_t number);
outcome reset_device(std::int32_t number, reset_kind how);
outcome get_device(std::int32_t* into);
outcome count_devices(std::uint32_t* into);
outcome get_run_mode(aclrtRunMode* into);

// Waits for the current device; -1 is for ever.
outcome synchronize_device(std::int32_t milliseconds);
outcome abort_device(std::int32_t number);

outcome can_access_peer(std::int32_t* into, std::int32_t from, std::int32_t to);
outcome enable_peer_access(std::int32_t to, std::uint32_t flags);
outcome disable_peer_access(std::int32_t to);
outcome get_peer_access(std::int32_t from, std::int32_t to, std::int32_t* into);

// The rest is in device_attributes.cpp.

outcome get_device_attribute(std::uint32_t number, aclrtDevAttr attribute, std::int64_t* into);
outcome get_device_capability(std::uint32_t number, aclDeviceInfo wanted, std::int64_t* into);
outcome get_device_feature(std::int32_t number, std::int32_t* into);
outcome get_device_status(std::int32_t number, aclrtDeviceStatus* into);
outcome get_device_uuid(std::int32_t number, aclrtUuid* into);
outcome get_device_link(std::uint32_t one, std::uint32_t other, std::uint64_t* into);
outcome get_priority_range(std::int32_t* least, std::int32_t* greatest);
outcome get_process_id(std::int32_t* into);
outcome get_utilization(std::int32_t number, aclrtUtilizationInfo* into);
outcome choose_scheduler(aclrtTsId scheduler);

// User, logical and physical numbers of a device are all the same.
outcome translate_device_number(std::int32_t number, std::int32_t* into);

// Limits on cores, of a device or a stream: kept, and without effect, because no kernels run here.
outcome set_core_limit(std::int32_t device, aclrtDevResLimitType type, std::uint32_t value);
outcome set_core_limit(aclrtStream stream, aclrtDevResLimitType type, std::uint32_t value);
outcome get_core_limit(std::int32_t device, aclrtDevResLimitType type, std::uint32_t* into);
outcome get_core_limit(aclrtStream stream, aclrtDevResLimitType type, std::uint32_t* into);
outcome reset_core_limits(std::int32_t device);
outcome reset_core_limits(aclrtStream stream);

// Whose limits hold for what the thread launches: those of `used`, or of its device when null.
outcome use_core_limits(aclrtStream handle, aclrtStream used);
outcome get_thread_core_limit(aclrtDevResLimitType type, std::uint32_t* into);

outcome get_device_error(std::int32_t device, aclrtErrorInfo* into);
outcome repair_device_error(std::int32_t device, const aclrtErrorInfo* report);

}  // namespace convoy::ascendcl
