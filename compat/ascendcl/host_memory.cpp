// Host memory that programs bring along.
#include <convoy/memory.hpp>

#include "border.hpp"
#include "state/devices.hpp"

namespace convoy::ascendcl {
namespace {

constexpr std::uint64_t page = 4096;

outcome register_mapped(void* start, std::uint64_t bytes, aclrtHostRegisterType type, void** into) {
  constexpr unsigned known = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
  if (start == nullptr || bytes == 0 || into == nullptr) return refused("an argument is NULL or 0");
  if ((static_cast<unsigned>(type) & ~known) != 0) return unsupported("type is none of the types");
  if (reinterpret_cast<std::uintptr_t>(start) % page != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "ptr is no multiple of 4096");
  }
  auto pinned = outcome_of(pin(start, bytes));
  if (pinned.ok()) *into = start;
  return pinned;
}

outcome register_flagged(void* start, std::uint64_t bytes, std::uint32_t flag) {
  constexpr std::uint32_t known =
      ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
  if (start == nullptr || bytes == 0) return refused("ptr is NULL or size is 0");
  if (flag == 0 || (flag & ~known) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is empty or has bits that mean nothing");
  }
  return outcome_of(pin(start, bytes));
}

outcome unregister(void* start) {
  if (start == nullptr) return refused("ptr is NULL");
  return outcome_of(unpin(start));
}

outcome device_address(void* start, void** into, std::uint32_t flag) {
  if (start == nullptr || into == nullptr) return refused("pHost or pDevice is NULL");
  if (flag != 0) return refused("flag is not 0");
  const auto where = locate(start);
  if (!where) return outcome_of(where.error());
  const bool known = where->kind == memory_kind::registered || where->kind == memory_kind::pinned;
  if (!known) return failed(ACL_ERROR_RT_PARAM_INVALID, "the host memory is not registered");
  *into = start;
  return {};
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return answer(__func__, [&] { return register_mapped(ptr, size, type, devPtr); });
}
aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return answer(__func__, [&] { return register_flagged(ptr, size, flag); });
}
aclError aclrtHostUnregister(void* ptr) {
  return answer(__func__, [&] { return unregister(ptr); });
}
aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return answer(__func__, [&] { return device_address(pHost, pDevice, flag); });
}
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType,
                                     aclrtHostMemMapCapability* capabilities) {
  return answer(__func__, [&] {
    if (capabilities == nullptr) return refused("capabilities is NULL");
    *capabilities = 1;  // everything here sees host memory
    return find_device(deviceId).why;
  });
}
