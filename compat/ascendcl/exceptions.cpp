#include "exceptions.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <convoy/failures.hpp>
#include <mutex>

#include "border.hpp"
#include "streams.hpp"

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
      static_cast<std::uint32_t>(number(what.at)), static_cast<std::uint32_t>(where->id),
      static_cast<std::uint32_t>(::gettid()), static_cast<std::uint32_t>(number(what.device)),
      static_cast<std::uint32_t>(code_of_step(what.why))};
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
    auto made = watch_failures([next](const failed_step& what) { tell(next, what); });
    if (!made) return outcome_of(made.outcome());
    exchange(std::move(*made));
    return {};
  }

 private:
  // Ends the watch before without the lock.
  void exchange(failure_watch next) {
    const std::lock_guard held(mutex_);
    std::swap(watch_, next);
  }

  std::mutex mutex_;
  failure_watch watch_;
};

// Devices on which a step has failed.
std::array<std::atomic<bool>, 64> failed_on;

std::atomic<bool>& failure_on(device_id device) {
  return failed_on[static_cast<std::size_t>(number(device))];
}

void remember(const failed_step& what) {
  if (streams().find(what.stream.handle()) != nullptr) failure_on(what.device) = true;
}

constexpr std::uint32_t no_number = 0xFFFFFFFF;

}  // namespace

outcome watch_steps() {
  static const auto* const watch = new auto(watch_failures(remember));
  return outcome_of(watch->outcome());
}

void forget_failures(device_id on) { failure_on(on) = false; }

}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return answer(__func__, [&] { return exception_callback::only().change(callback); });
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
