// What programs learn of steps that fail in their streams.
#include <unistd.h>

#include <convoy/failures.hpp>
#include <mutex>

#include "border.hpp"
#include "state/devices.hpp"
#include "state/models.hpp"
#include "state/streams.hpp"

struct aclrtExceptionInfo {
  std::uint32_t task = 0;
  std::uint32_t stream = 0;
  std::uint32_t thread = 0;  // that saw the step fail
  std::uint32_t device = 0;
  std::uint32_t code = 0;
};

namespace convoy::ascendcl {
namespace {

void tell(aclrtExceptionInfoCallback callback, const failed_step& what) {
  const auto where = streams().find(what.stream.handle());
  if (where == nullptr) return;
  aclrtExceptionInfo told{
      static_cast<std::uint32_t>(number(what.position)), static_cast<std::uint32_t>(where->id),
      static_cast<std::uint32_t>(::gettid()), static_cast<std::uint32_t>(number(what.device)),
      static_cast<std::uint32_t>(code_of_step(what.error))};
  callback(&told);
}

// The callback there is, or none.
class exception_callback {
 public:
  static exception_callback& only() {
    static auto* const made = new exception_callback;
    return *made;
  }

  // The one before has returned everywhere when the next takes its place. A callback may do this
  // itself, so nothing is locked meanwhile.
  outcome change(aclrtExceptionInfoCallback next) {
    exchange({});
    if (next == nullptr) return {};
    auto made = add_failure_callback([next](const failed_step& what) { tell(next, what); });
    if (!made) return outcome_of(made.error());
    exchange(std::move(*made));
    return {};
  }

 private:
  // Ends the watch before without the lock.
  void exchange(failure_callback next) {
    const std::lock_guard held(mutex_);
    std::swap(watch_, next);
  }

  std::mutex mutex_;
  failure_callback watch_;
};

outcome tell_error(std::int32_t device, aclrtErrorInfo* into) {
  if (into == nullptr) return refused("errorInfo is NULL");
  if (auto there = demand(feature::error_details); !there.ok()) return there;
  const auto on = find_device(device);
  if (!on) return on.why;
  // The memory is sound, so there is nothing to repair.
  *into = {};
  into->errorType = had_failure(*on) ? ACL_RT_ERROR_OTHERS : ACL_RT_NO_ERROR;
  return {};
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

outcome repair(std::int32_t device, const aclrtErrorInfo* report) {
  if (report == nullptr) return refused("errorInfo is NULL");
  if (auto there = demand(feature::error_details); !there.ok()) return there;
  const auto on = find_device(device);
  if (!on) return on.why;
  auto known = check_report(*report);
  if (known.ok()) forget_failures(*on);
  return known;
}

constexpr std::uint32_t no_number = 0xFFFFFFFF;

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return answer(__func__, [&] { return exception_callback::only().change(callback); });
}
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return answer(__func__, [&] { return tell_error(deviceId, errorInfo); });
}
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return answer(__func__, [&] { return repair(deviceId, errorInfo); });
}
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
