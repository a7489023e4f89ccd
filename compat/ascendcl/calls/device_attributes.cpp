#include <unistd.h>

#include <array>
#include <convoy/memory.hpp>
#include <cstring>
#include <map>
#include <mutex>

#include "calls/devices.hpp"
#include "shared/process_lifetime.hpp"
#include "state/soc.hpp"
#include "state/streams.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

// Stores `value` if the device exists.
template <class T>
call_status answer_for_device(std::int64_t number, T* into, T value) {
  if (into == nullptr) return invalid_param("the output pointer is NULL");
  auto device = find_device(number);
  if (device) *into = value;
  return device.error;
}

// Core limits by owner and type.
class core_limits {
 public:
  using key = std::pair<std::uint64_t, aclrtDevResLimitType>;

  void set(const key& limit, std::uint32_t value) {
    const std::lock_guard held(mutex_);
    values_[limit] = value;
  }
  void reset(std::uint64_t owner) {
    const std::lock_guard held(mutex_);
    std::erase_if(values_, [owner](const auto& each) { return each.first.first == owner; });
  }
  std::uint32_t get(const key& limit, std::uint32_t fallback) {
    const std::lock_guard held(mutex_);
    const auto found = values_.find(limit);
    return found == values_.end() ? fallback : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<key, std::uint32_t> values_;
};

bool is_core_limit(aclrtDevResLimitType type) {
  return type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE;
}

std::uint32_t core_count(aclrtDevResLimitType type) {
  const soc_family& family = soc().family;
  return type == ACL_RT_DEV_RES_CUBE_CORE ? family.cube_cores : family.vector_cores;
}

call_status check_report(const aclrtErrorInfo& report) {
  switch (report.errorType) {
    case ACL_RT_NO_ERROR: return {};
    case ACL_RT_ERROR_OTHERS:
      if (report.tryRepair == 0) return {};
      return failed(ACL_ERROR_RT_PARAM_INVALID,
                    "tryRepair is set for an error that cannot be repaired");
    case ACL_RT_ERROR_MEMORY:
      if (report.hasDetail == 0) return {};
      if (report.detail.uceInfo.arraySize <= ACL_RT_MEM_UCE_INFO_MAX_NUM) return {};
      return failed(ACL_ERROR_RT_PARAM_INVALID, "arraySize is larger than the array");
    case ACL_RT_ERROR_L2:
    case ACL_RT_ERROR_AICORE:
    case ACL_RT_ERROR_LINK:
    case ACL_RT_ERROR_L3_PORT: break;
  }
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                "errorType is not one that aclrtGetErrorVerbose answers");
}

}  // namespace

call_status get_device_attribute(std::uint32_t number, aclrtDevAttr attribute, std::int64_t* into) {
  if (into == nullptr) return invalid_param("value is NULL");
  const auto device = find_device(number);
  if (!device) return device.error;
  const std::int32_t logical = convoy::number(*device);
  const soc_family& family = soc().family;
  const auto stats = memory_stats_of(*device);
  const std::map<aclrtDevAttr, std::int64_t> values{
      {ACL_DEV_ATTR_AICPU_CORE_NUM, 8},
      {ACL_DEV_ATTR_AICORE_CORE_NUM, family.cube_cores},
      {ACL_DEV_ATTR_CUBE_CORE_NUM, family.cube_cores},
      {ACL_DEV_ATTR_VECTOR_CORE_NUM, family.vector_cores},
      {ACL_DEV_ATTR_WARP_SIZE, 32},
      {ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, stats ? static_cast<std::int64_t>(stats->total) : 0},
      {ACL_DEV_ATTR_L2_CACHE_SIZE, family.l2_bytes},
      {ACL_DEV_ATTR_SMP_ID, 0},
      {ACL_DEV_ATTR_PHY_CHIP_ID, logical},
      {ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, logical},
      {ACL_DEV_ATTR_SUPER_POD_SERVER_ID, 0},
      {ACL_DEV_ATTR_SUPER_POD_ID, 0},
      {ACL_DEV_ATTR_MAINBOARD_ID, 0},
      {ACL_DEV_ATTR_HD_CONNECT_TYPE, 0},
      {ACL_DEV_ATTR_DEVICE_FORM_FACTOR, 0},
      {ACL_DEV_ATTR_IS_VIRTUAL, 0},
      {ACL_DEV_ATTR_NPU_ARCH, family.architecture},
  };
  const auto found = values.find(attribute);
  if (found == values.end())
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is not a known attribute");
  *into = found->second;
  return {};
}

call_status get_device_capability(std::uint32_t number, aclDeviceInfo property,
                                  std::int64_t* into) {
  switch (property) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
      return get_device_attribute(number, ACL_DEV_ATTR_AICORE_CORE_NUM, into);
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
      return get_device_attribute(number, ACL_DEV_ATTR_VECTOR_CORE_NUM, into);
    case ACL_DEVICE_INFO_L2_SIZE:
      return get_device_attribute(number, ACL_DEV_ATTR_L2_CACHE_SIZE, into);
    case ACL_DEVICE_INFO_UNDEFINED: break;
  }
  return invalid_param("deviceInfo is not a known aclDeviceInfo");
}

call_status get_device_feature(std::int32_t number, std::int32_t* into) {
  return answer_for_device(number, into, 0);
}

call_status get_device_status(std::int32_t number, aclrtDeviceStatus* into) {
  return answer_for_device(number, into, ACL_RT_DEVICE_STATUS_NORMAL);
}

call_status get_logical_number(std::int32_t program_number, std::int32_t* into) {
  const auto device = find_device(program_number);
  return answer_for_device(program_number, into, number(*device));
}

call_status get_program_number(std::int32_t logical, std::int32_t* into) {
  if (into == nullptr) return invalid_param("the output pointer is NULL");
  const std::int32_t found = program_devices().number_of(device_id{logical});
  if (found < 0) {
    return failed(ACL_ERROR_RT_INVALID_DEVICEID,
                  "device " + std::to_string(logical) + " does not exist or is not visible");
  }
  *into = found;
  return {};
}

call_status check_logical_number(std::int32_t logical, std::int32_t* into) {
  std::int32_t program_number = 0;
  if (into == nullptr) return invalid_param("the output pointer is NULL");
  auto checked = get_program_number(logical, &program_number);
  if (checked.ok()) *into = logical;
  return checked;
}

call_status choose_scheduler(aclrtTsId scheduler) {
  const bool known = scheduler == ACL_TS_ID_AICORE || scheduler == ACL_TS_ID_AIVECTOR;
  return known ? call_status{} : invalid_param("tsId is not a known scheduler");
}

call_status get_device_uuid(std::int32_t number, aclrtUuid* into) {
  const auto device = find_device(number);
  aclrtUuid made = {};
  std::memcpy(made.bytes, "convoy-device", 13);
  made.bytes[15] = static_cast<char>(convoy::number(*device));
  return answer_for_device(number, into, made);
}

// Two dies of one chip are linked by SIO, all other pairs of devices by HCCS.
call_status get_device_link(std::uint32_t first, std::uint32_t second, std::uint64_t* into) {
  if (into == nullptr) return invalid_param("value is NULL");
  if (soc().on_device && soc().family.prefix == "Ascend310B") {
    return unsupported("a program that runs on a 310B sees no other devices");
  }
  const auto one = find_device(first);
  if (!one) return one.error;
  const auto other = find_device(second);
  if (!other) return other.error;
  const bool one_chip = soc().supports(feature::die_links) && *one != *other &&
                        number(*one) / 2 == number(*other) / 2;
  *into = one_chip ? ACL_RT_DEVS_TOPOLOGY_SIO : ACL_RT_DEVS_TOPOLOGY_HCCS;
  return {};
}

call_status get_priority_range(std::int32_t* least, std::int32_t* greatest) {
  if (least == nullptr || greatest == nullptr)
    return missing_argument({{"leastPriority", least}, {"greatestPriority", greatest}});
  *least = 7;
  *greatest = 0;
  return {};
}

call_status get_process_id(std::int32_t* into) {
  if (into == nullptr) return invalid_param("pid is NULL");
  *into = ::getpid();
  return {};
}

call_status get_utilization(std::int32_t number, aclrtUtilizationInfo* into) {
  if (into == nullptr) return invalid_param("utilizationInfo is NULL");
  if (into->utilizationExtend != nullptr) return invalid_param("utilizationExtend is not NULL");
  return answer_for_device(number, into, aclrtUtilizationInfo{});
}

// A device number is never equal to a stream handle.
lookup<std::uint64_t> core_limit_owner(std::int32_t device_number) {
  const auto device = find_device(device_number);
  if (!device) return device.error;
  return {static_cast<std::uint64_t>(number(*device))};
}
lookup<std::uint64_t> core_limit_owner(aclrtStream handle) {
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  return {(*stream)->ref.handle()};
}

call_status set_core_limit(const lookup<std::uint64_t>& owner, aclrtDevResLimitType type,
                           std::uint32_t value) {
  if (!owner) return owner.error;
  if (!is_core_limit(type))
    return failed(ACL_ERROR_RT_PARAM_INVALID, "type is not a known resource");
  if (value == 0 || value > core_count(type)) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "value is " + std::to_string(value) +
                                                  ", the device has " +
                                                  std::to_string(core_count(type)) + " cores");
  }
  compat::process_object<core_limits>().set({*owner, type}, value);
  return {};
}

call_status get_core_limit(const lookup<std::uint64_t>& owner, aclrtDevResLimitType type,
                           std::uint32_t* into) {
  if (into == nullptr) return invalid_param("value is NULL");
  if (!owner) return owner.error;
  if (!is_core_limit(type))
    return failed(ACL_ERROR_RT_PARAM_INVALID, "type is not a known resource");
  *into = compat::process_object<core_limits>().get({*owner, type}, core_count(type));
  return {};
}

call_status reset_core_limits(const lookup<std::uint64_t>& owner) {
  if (owner) compat::process_object<core_limits>().reset(*owner);
  return owner.error;
}

call_status use_core_limits(aclrtStream handle, aclrtStream used) {
  const auto stream = find_stream_in_context(handle);
  if (stream) this_thread().core_limit_stream = used;
  return stream.error;
}

call_status get_thread_core_limit(aclrtDevResLimitType type, std::uint32_t* into) {
  const aclrtStream stream = this_thread().core_limit_stream;
  if (stream != nullptr) return get_core_limit(core_limit_owner(stream), type, into);
  const auto current = current_context();
  if (!current) return current.error;
  return get_core_limit(core_limit_owner(program_devices().number_of((*current)->device)), type,
                        into);
}

call_status get_device_error(std::int32_t number, aclrtErrorInfo* into) {
  if (into == nullptr) return invalid_param("errorInfo is NULL");
  if (auto supported = require(feature::error_details); !supported.ok()) return supported;
  const auto device = find_device(number);
  if (!device) return device.error;
  // There are no memory errors, so no details and nothing to repair.
  *into = {};
  into->errorType = has_failed_step(*device) ? ACL_RT_ERROR_OTHERS : ACL_RT_NO_ERROR;
  return {};
}

call_status repair_device_error(std::int32_t number, const aclrtErrorInfo* report) {
  if (report == nullptr) return invalid_param("errorInfo is NULL");
  if (auto supported = require(feature::error_details); !supported.ok()) return supported;
  const auto device = find_device(number);
  if (!device) return device.error;
  auto checked = check_report(*report);
  if (checked.ok()) clear_failures(*device);
  return checked;
}

}  // namespace convoy::ascendcl
