#include "faulty/faulty_device.hpp"

#include <utility>

namespace convoy {

void faulty_device::fail_next(status reason) {
  const lock held(mutex_);
  next_ = reason;
}

void faulty_device::fail_every(std::uint32_t nth, status reason) {
  const lock held(mutex_);
  every_ = nth;
  seen_ = 0;
  recurring_ = reason;
}

void faulty_device::before_each(std::function<void()> hook) {
  const lock held(mutex_);
  hook_ = std::move(hook);
}

status faulty_device::run(const copy_work& work) {
  if (const auto reason = injected()) return *reason;
  return inner_.run(work);
}

status faulty_device::run(const pitched_copy& work) {
  if (const auto reason = injected()) return *reason;
  return inner_.run(work);
}

status faulty_device::fill(const pitched& where, const box& extent, fill_pattern pattern) {
  if (const auto reason = injected()) return *reason;
  return inner_.fill(where, extent, pattern);
}

status faulty_device::reduce(const reduction& work) {
  if (const auto reason = injected()) return *reason;
  return inner_.reduce(work);
}

std::optional<status> faulty_device::injected() {
  std::function<void()> hook;
  {
    const lock held(mutex_);
    hook = hook_;
  }
  if (hook) hook();

  const lock held(mutex_);
  if (next_) return std::exchange(next_, std::nullopt);
  if (every_ == 0 || ++seen_ % every_ != 0) return std::nullopt;
  return recurring_;
}

}  // namespace convoy
