// Contexts, devices, peer access and the attributes of a device.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/call_status.hpp"
#include "state/devices.hpp"

namespace convoy::ascendcl {

call_status create_context(aclrtContext* into, std::int32_t device);
call_status destroy_context(aclrtContext handle);
call_status set_current_context(aclrtContext handle);
call_status get_current_context(aclrtContext* into);
call_status get_default_stream(aclrtStream* into);
call_status get_primary_state(std::int32_t device, std::uint32_t* flags, std::int32_t* active);

// Options of the current context, and of the process.
call_status set_context_option(aclSysParamOpt option, std::int64_t value);
call_status get_context_option(aclSysParamOpt option, std::int64_t* into);
call_status set_process_option(aclSysParamOpt option, std::int64_t value);
call_status get_process_option(aclSysParamOpt option, std::int64_t* into);

call_status set_device(std::int32_t number);
call_status reset_device(std::int32_t number, reset_kind kind);
call_status get_device(std::int32_t* into);
call_status count_devices(std::uint32_t* into);
call_status get_run_mode(aclrtRunMode* into);

// Waits for the current device; -1 waits without limit.
call_status synchronize_device(std::int32_t milliseconds);
call_status abort_device(std::int32_t number);

call_status can_access_peer(std::int32_t* into, std::int32_t from, std::int32_t to);
call_status enable_peer_access(std::int32_t to, std::uint32_t flags);
call_status disable_peer_access(std::int32_t to);
call_status get_peer_access(std::int32_t from, std::int32_t to, std::int32_t* into);

// Defined in device_attributes.cpp.

call_status get_device_attribute(std::uint32_t number, aclrtDevAttr attribute, std::int64_t* into);
call_status get_device_capability(std::uint32_t number, aclDeviceInfo property, std::int64_t* into);
call_status get_device_feature(std::int32_t number, std::int32_t* into);
call_status get_device_status(std::int32_t number, aclrtDeviceStatus* into);
call_status get_device_uuid(std::int32_t number, aclrtUuid* into);
call_status get_device_link(std::uint32_t first, std::uint32_t second, std::uint64_t* into);
call_status get_priority_range(std::int32_t* least, std::int32_t* greatest);
call_status get_process_id(std::int32_t* into);
call_status get_utilization(std::int32_t number, aclrtUtilizationInfo* into);
call_status choose_scheduler(aclrtTsId scheduler);

// A program numbers its visible devices; logical and physical numbers are equal, and 107001 for a
// device that is not visible.
call_status get_logical_number(std::int32_t program_number, std::int32_t* into);
call_status get_program_number(std::int32_t logical, std::int32_t* into);
call_status check_logical_number(std::int32_t logical, std::int32_t* into);

// Core limits of a device or a stream. They are stored and have no effect, because no kernels run.
lookup<std::uint64_t> core_limit_owner(std::int32_t device_number);
lookup<std::uint64_t> core_limit_owner(aclrtStream handle);
call_status set_core_limit(const lookup<std::uint64_t>& owner, aclrtDevResLimitType type,
                           std::uint32_t value);
call_status get_core_limit(const lookup<std::uint64_t>& owner, aclrtDevResLimitType type,
                           std::uint32_t* into);
call_status reset_core_limits(const lookup<std::uint64_t>& owner);

// The thread uses the core limits of stream `used`, or of its device when that is null.
call_status use_core_limits(aclrtStream handle, aclrtStream used);
call_status get_thread_core_limit(aclrtDevResLimitType type, std::uint32_t* into);

call_status get_device_error(std::int32_t number, aclrtErrorInfo* into);
call_status repair_device_error(std::int32_t number, const aclrtErrorInfo* report);

}  // namespace convoy::ascendcl
