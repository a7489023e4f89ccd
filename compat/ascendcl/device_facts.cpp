#include <unistd.h>

#include <array>
#include <convoy/memory.hpp>
#include <cstring>
#include <map>
#include <mutex>

#include "border.hpp"
#include "state/devices.hpp"
#include "state/models.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

outcome tell_attribute(std::uint32_t number, aclrtDevAttr attribute, std::int64_t* into) {
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

outcome tell_capability(std::uint32_t number, aclDeviceInfo wanted, std::int64_t* into) {
  switch (wanted) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
      return tell_attribute(number, ACL_DEV_ATTR_AICORE_CORE_NUM, into);
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
      return tell_attribute(number, ACL_DEV_ATTR_VECTOR_CORE_NUM, into);
    case ACL_DEVICE_INFO_L2_SIZE: return tell_attribute(number, ACL_DEV_ATTR_L2_CACHE_SIZE, into);
    case ACL_DEVICE_INFO_UNDEFINED: break;
  }
  return refused("deviceInfo is none of the facts");
}

// Tells `value` about a device that is there.
template <class T>
outcome tell(std::int64_t number, T* into, T value) {
  if (into == nullptr) return refused("the place for the answer is NULL");
  auto on = find_device(number);
  if (on) *into = value;
  return on.why;
}

outcome tell_uuid(std::int32_t number, aclrtUuid* into) {
  aclrtUuid made = {};
  std::memcpy(made.bytes, "convoy-device", 13);
  made.bytes[15] = static_cast<char>(number);
  return tell(number, into, made);
}

// All devices share the memory of one machine. Where a chip has two dies, they are neighbours.
outcome tell_link(std::uint32_t one, std::uint32_t other, std::uint64_t* into) {
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

outcome tell_priorities(std::int32_t* least, std::int32_t* greatest) {
  if (least == nullptr || greatest == nullptr) return refused("a place for the answer is NULL");
  *least = 7;
  *greatest = 0;
  return {};
}

outcome tell_process(std::int32_t* into) {
  if (into == nullptr) return refused("pid is NULL");
  *into = ::getpid();
  return {};
}

outcome tell_utilization(std::int32_t number, aclrtUtilizationInfo* into) {
  if (into == nullptr) return refused("utilizationInfo is NULL");
  if (into->utilizationExtend != nullptr) return refused("utilizationExtend is not NULL");
  return tell(number, into, aclrtUtilizationInfo{});
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

template <class Whose>
outcome set_limit(Whose whose, aclrtDevResLimitType type, std::uint32_t value) {
  const auto to = owner(whose);
  if (!to) return to.why;
  if (!is_core(type)) return failed(ACL_ERROR_RT_PARAM_INVALID, "type is none of the resources");
  if (value == 0 || value > all_cores(type)) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the device does not have that many");
  }
  core_limits::only().set({*to, type}, value);
  return {};
}

template <class Whose>
outcome get_limit(Whose whose, aclrtDevResLimitType type, std::uint32_t* into) {
  if (into == nullptr) return refused("value is NULL");
  const auto of = owner(whose);
  if (!of) return of.why;
  if (!is_core(type)) return failed(ACL_ERROR_RT_PARAM_INVALID, "type is none of the resources");
  *into = core_limits::only().get({*of, type}, all_cores(type));
  return {};
}

template <class Whose>
outcome reset_limits(Whose whose) {
  const auto of = owner(whose);
  if (of) core_limits::only().reset(*of);
  return of.why;
}

outcome use_limits(aclrtStream handle, aclrtStream held) {
  const auto which = find_own_stream(handle);
  if (which) this_thread().limits_of = held;
  return which.why;
}

outcome limit_here(aclrtDevResLimitType type, std::uint32_t* into) {
  const aclrtStream used = this_thread().limits_of;
  if (used != nullptr) return get_limit(used, type, into);
  const auto now = current_context();
  return now ? get_limit(number((*now)->device), type, into) : now.why;
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return answer(__func__, [&] {
    const bool known = tsId == ACL_TS_ID_AICORE || tsId == ACL_TS_ID_AIVECTOR;
    return known ? outcome{} : refused("tsId is none of the schedulers");
  });
}
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return answer(__func__, [&] { return tell_attribute(deviceId, attr, value); });
}
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return answer(__func__, [&] { return tell_capability(deviceId, deviceInfo, value); });
}
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType, int32_t* value) {
  return answer(__func__, [&] { return tell(deviceId, value, 0); });
}
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return answer(__func__,
                [&] { return tell(deviceId, deviceStatus, ACL_RT_DEVICE_STATUS_NORMAL); });
}
aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return answer(__func__, [&] { return tell_priorities(leastPriority, greatestPriority); });
}
aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return answer(__func__, [&] { return tell_process(pid); });
}
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return answer(__func__, [&] { return tell_uuid(deviceId, uuid); });
}
aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return answer(__func__, [&] { return tell(userDevid, logicDevId, userDevid); });
}
aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return answer(__func__, [&] { return tell(logicDevId, userDevid, logicDevId); });
}
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return answer(__func__, [&] { return tell(phyDevId, logicDevId, phyDevId); });
}
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return answer(__func__, [&] { return tell(logicDevId, phyDevId, logicDevId); });
}
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return answer(__func__, [&] { return tell(userDevId, phyDevId, userDevId); });
}
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return answer(__func__, [&] { return tell(phyDevId, userDevId, phyDevId); });
}
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return answer(__func__, [&] { return tell_link(deviceId, otherDeviceId, value); });
}
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return answer(__func__, [&] { return tell_utilization(deviceId, utilizationInfo); });
}
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return answer(__func__, [&] { return get_limit(deviceId, type, value); });
}
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return answer(__func__, [&] { return set_limit(deviceId, type, value); });
}
aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return answer(__func__, [&] { return reset_limits(deviceId); });
}
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return answer(__func__, [&] { return get_limit(stream, type, value); });
}
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return answer(__func__, [&] { return set_limit(stream, type, value); });
}
aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return answer(__func__, [&] { return reset_limits(stream); });
}
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return answer(__func__, [&] { return use_limits(stream, stream); });
}
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return answer(__func__, [&] { return use_limits(stream, nullptr); });
}
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return answer(__func__, [&] { return limit_here(type, value); });
}
