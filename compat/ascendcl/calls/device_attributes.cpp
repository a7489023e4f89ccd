#include <unistd.h>

#include <array>
#include <convoy/memory.hpp>
#include <cstring>
#include <map>
#include <mutex>

#include "calls/devices.hpp"
#include "state/models.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

// Tells `value` about a device that is there.
template <class T>
outcome tell(std::int64_t number, T* into, T value) {
  if (into == nullptr) return refused("the place for the answer is NULL");
  auto on = find_device(number);
  if (on) *into = value;
  return on.why;
}

// Limits on cores: kept, and without effect, because no kernels run here.
class core_limits {
 public:
  using key = std::pair<std::uint64_t, aclrtDevResLimitType>;

  static core_limits& only() {
    static auto* const made = new core_limits;
    return *made;
  }
  void set(const key& what, std::uint32_t value) {
    const std::lock_guard held(mutex_);
    set_[what] = value;
  }
  void reset(std::uint64_t whose) {
    const std::lock_guard held(mutex_);
    std::erase_if(set_, [whose](const auto& each) { return each.first.first == whose; });
  }
  std::uint32_t get(const key& what, std::uint32_t otherwise) {
    const std::lock_guard held(mutex_);
    const auto at = set_.find(what);
    return at == set_.end() ? otherwise : at->second;
  }

 private:
  std::mutex mutex_;
  std::map<key, std::uint32_t> set_;
};

bool is_core(aclrtDevResLimitType type) {
  return type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE;
}

std::uint32_t all_cores(aclrtDevResLimitType type) {
  const family& model = this_model().of;
  return type == ACL_RT_DEV_RES_CUBE_CORE ? model.cube_cores : model.vector_cores;
}

// The number a device's limits go under, which no stream has.
found<std::uint64_t> owner(std::int32_t device) {
  const auto on = find_device(device);
  return {static_cast<std::uint64_t>(number(*on)), on.why};
}
found<std::uint64_t> owner(aclrtStream handle) {
  const auto which = find_own_stream(handle);
  return which ? found<std::uint64_t>{(*which)->ref.handle()} : none<std::uint64_t>(which.why);
}

outcome set_limit(const found<std::uint64_t>& to, aclrtDevResLimitType type, std::uint32_t value) {
  if (!to) return to.why;
  if (!is_core(type)) return failed(ACL_ERROR_RT_PARAM_INVALID, "type is none of the resources");
  if (value == 0 || value > all_cores(type)) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the device does not have that many");
  }
  core_limits::only().set({*to, type}, value);
  return {};
}

outcome get_limit(const found<std::uint64_t>& of, aclrtDevResLimitType type, std::uint32_t* into) {
  if (into == nullptr) return refused("value is NULL");
  if (!of) return of.why;
  if (!is_core(type)) return failed(ACL_ERROR_RT_PARAM_INVALID, "type is none of the resources");
  *into = core_limits::only().get({*of, type}, all_cores(type));
  return {};
}

outcome reset_limits(const found<std::uint64_t>& of) {
  if (of) core_limits::only().reset(*of);
  return of.why;
}

outcome check_report(const aclrtErrorInfo& report) {
  switch (report.errorType) {
    case ACL_RT_NO_ERROR: return {};
    case ACL_RT_ERROR_OTHERS:
      if (report.tryRepair == 0) return {};
      return failed(ACL_ERROR_RT_PARAM_INVALID, "tryRepair is set for an error without repair");
    case ACL_RT_ERROR_MEMORY:
      if (report.hasDetail == 0) return {};
      if (report.detail.uceInfo.arraySize <= ACL_RT_MEM_UCE_INFO_MAX_NUM) return {};
      return failed(ACL_ERROR_RT_PARAM_INVALID, "arraySize is more than the array holds");
    case ACL_RT_ERROR_L2:
    case ACL_RT_ERROR_AICORE:
    case ACL_RT_ERROR_LINK:
    case ACL_RT_ERROR_L3_PORT: break;
  }
  return failed(ACL_ERROR_RT_PARAM_INVALID, "errorType is none that aclrtGetErrorVerbose tells");
}

}  // namespace

outcome get_device_attribute(std::uint32_t number, aclrtDevAttr attribute, std::int64_t* into) {
  if (into == nullptr) return refused("value is NULL");
  const auto on = find_device(number);
  if (!on) return on.why;
  const family& model = this_model().of;
  const auto room = memory_stats_of(*on);
  const std::map<aclrtDevAttr, std::int64_t> known{
      {ACL_DEV_ATTR_AICPU_CORE_NUM, 8},
      {ACL_DEV_ATTR_AICORE_CORE_NUM, model.cube_cores},
      {ACL_DEV_ATTR_CUBE_CORE_NUM, model.cube_cores},
      {ACL_DEV_ATTR_VECTOR_CORE_NUM, model.vector_cores},
      {ACL_DEV_ATTR_WARP_SIZE, 32},
      {ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, room ? static_cast<std::int64_t>(room->total) : 0},
      {ACL_DEV_ATTR_L2_CACHE_SIZE, model.l2_bytes},
      {ACL_DEV_ATTR_SMP_ID, 0},
      {ACL_DEV_ATTR_PHY_CHIP_ID, number},
      {ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, number},
      {ACL_DEV_ATTR_SUPER_POD_SERVER_ID, 0},
      {ACL_DEV_ATTR_SUPER_POD_ID, 0},
      {ACL_DEV_ATTR_MAINBOARD_ID, 0},
      {ACL_DEV_ATTR_HD_CONNECT_TYPE, 0},
      {ACL_DEV_ATTR_DEVICE_FORM_FACTOR, 0},
      {ACL_DEV_ATTR_IS_VIRTUAL, 0},
      {ACL_DEV_ATTR_NPU_ARCH, model.architecture},
  };
  const auto at = known.find(attribute);
  if (at == known.end())
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is none of the attributes");
  *into = at->second;
  return {};
}

outcome get_device_capability(std::uint32_t number, aclDeviceInfo wanted, std::int64_t* into) {
  switch (wanted) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
      return get_device_attribute(number, ACL_DEV_ATTR_AICORE_CORE_NUM, into);
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
      return get_device_attribute(number, ACL_DEV_ATTR_VECTOR_CORE_NUM, into);
    case ACL_DEVICE_INFO_L2_SIZE:
      return get_device_attribute(number, ACL_DEV_ATTR_L2_CACHE_SIZE, into);
    case ACL_DEVICE_INFO_UNDEFINED: break;
  }
  return refused("deviceInfo is none of the facts");
}

outcome get_device_feature(std::int32_t number, std::int32_t* into) {
  return tell(number, into, 0);
}

outcome get_device_status(std::int32_t number, aclrtDeviceStatus* into) {
  return tell(number, into, ACL_RT_DEVICE_STATUS_NORMAL);
}

outcome translate_device_number(std::int32_t number, std::int32_t* into) {
  return tell(number, into, number);
}

outcome choose_scheduler(aclrtTsId scheduler) {
  const bool known = scheduler == ACL_TS_ID_AICORE || scheduler == ACL_TS_ID_AIVECTOR;
  return known ? outcome{} : refused("tsId is none of the schedulers");
}

outcome get_device_uuid(std::int32_t number, aclrtUuid* into) {
  aclrtUuid made = {};
  std::memcpy(made.bytes, "convoy-device", 13);
  made.bytes[15] = static_cast<char>(number);
  return tell(number, into, made);
}

// All devices share the memory of one machine. Where a chip has two dies, they are neighbours.
outcome get_device_link(std::uint32_t one, std::uint32_t other, std::uint64_t* into) {
  if (into == nullptr) return refused("value is NULL");
  if (this_model().on_device && this_model().of.prefix == "Ascend310B") {
    return unsupported("on a 310B itself there are no other devices");
  }
  for (const std::uint32_t each : {one, other}) {
    if (const auto there = find_device(each); !there) return there.why;
  }
  const bool one_chip =
      this_model().of.has(feature::die_links) && one != other && one / 2 == other / 2;
  *into = one_chip ? ACL_RT_DEVS_TOPOLOGY_SIO : ACL_RT_DEVS_TOPOLOGY_HCCS;
  return {};
}

outcome get_priority_range(std::int32_t* least, std::int32_t* greatest) {
  if (least == nullptr || greatest == nullptr) return refused("a place for the answer is NULL");
  *least = 7;
  *greatest = 0;
  return {};
}

outcome get_process_id(std::int32_t* into) {
  if (into == nullptr) return refused("pid is NULL");
  *into = ::getpid();
  return {};
}

outcome get_utilization(std::int32_t number, aclrtUtilizationInfo* into) {
  if (into == nullptr) return refused("utilizationInfo is NULL");
  if (into->utilizationExtend != nullptr) return refused("utilizationExtend is not NULL");
  return tell(number, into, aclrtUtilizationInfo{});
}

outcome set_core_limit(std::int32_t device, aclrtDevResLimitType type, std::uint32_t value) {
  return set_limit(owner(device), type, value);
}
outcome set_core_limit(aclrtStream stream, aclrtDevResLimitType type, std::uint32_t value) {
  return set_limit(owner(stream), type, value);
}

outcome get_core_limit(std::int32_t device, aclrtDevResLimitType type, std::uint32_t* into) {
  return get_limit(owner(device), type, into);
}
outcome get_core_limit(aclrtStream stream, aclrtDevResLimitType type, std::uint32_t* into) {
  return get_limit(owner(stream), type, into);
}

outcome reset_core_limits(std::int32_t device) { return reset_limits(owner(device)); }
outcome reset_core_limits(aclrtStream stream) { return reset_limits(owner(stream)); }

outcome use_core_limits(aclrtStream handle, aclrtStream used) {
  const auto which = find_own_stream(handle);
  if (which) this_thread().limits_of = used;
  return which.why;
}

outcome get_thread_core_limit(aclrtDevResLimitType type, std::uint32_t* into) {
  const aclrtStream used = this_thread().limits_of;
  if (used != nullptr) return get_core_limit(used, type, into);
  const auto now = current_context();
  return now ? get_core_limit(number((*now)->device), type, into) : now.why;
}

outcome get_device_error(std::int32_t device, aclrtErrorInfo* into) {
  if (into == nullptr) return refused("errorInfo is NULL");
  if (auto there = demand(feature::error_details); !there.ok()) return there;
  const auto on = find_device(device);
  if (!on) return on.why;
  // The memory is sound, so there is nothing to repair.
  *into = {};
  into->errorType = had_failure(*on) ? ACL_RT_ERROR_OTHERS : ACL_RT_NO_ERROR;
  return {};
}

outcome repair_device_error(std::int32_t device, const aclrtErrorInfo* report) {
  if (report == nullptr) return refused("errorInfo is NULL");
  if (auto there = demand(feature::error_details); !there.ok()) return there;
  const auto on = find_device(device);
  if (!on) return on.why;
  auto known = check_report(*report);
  if (known.ok()) forget_failures(*on);
  return known;
}

}  // namespace convoy::ascendcl
