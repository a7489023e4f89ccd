// A device that wraps another and fails or delays work on request.
#pragma once

#include <convoy/status.hpp>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "seam/device.hpp"

namespace convoy {

class faulty_device final : public device_port {
 public:
  explicit faulty_device(device_port& inner) : inner_(inner) {}

  // The next work fails with `reason` and moves nothing.
  void fail_next(status reason) {
    const std::lock_guard held(mutex_);
    next_ = reason;
  }

  // Every `nth` work fails with `reason`; 0 stops that.
  void fail_every(std::uint32_t nth, status reason) {
    const std::lock_guard held(mutex_);
    every_ = nth;
    seen_ = 0;
    recurring_ = reason;
  }

  // Called before each work, for instance to hold it back; empty for none.
  void before_each(std::function<void()> hook) {
    const std::lock_guard held(mutex_);
    hook_ = std::move(hook);
  }

  status run(const copy_work& work) override {
    const auto reason = injected();
    return reason ? *reason : inner_.run(work);
  }
  status run(const pitched_copy& work) override {
    const auto reason = injected();
    return reason ? *reason : inner_.run(work);
  }
  status fill(const pitched& where, const box& extent, fill_pattern pattern) override {
    const auto reason = injected();
    return reason ? *reason : inner_.fill(where, extent, pattern);
  }
  status reduce(const reduction& work) override {
    const auto reason = injected();
    return reason ? *reason : inner_.reduce(work);
  }

 private:
  std::optional<status> injected() {
    if (const auto hook = current_hook()) hook();
    const std::lock_guard held(mutex_);
    if (next_) return std::exchange(next_, std::nullopt);
    if (every_ == 0 || ++seen_ % every_ != 0) return std::nullopt;
    return recurring_;
  }
  std::function<void()> current_hook() {
    const std::lock_guard held(mutex_);
    return hook_;
  }

  device_port& inner_;
  std::mutex mutex_;  // guards all below
  std::optional<status> next_;
  std::uint32_t every_ = 0;
  std::uint32_t seen_ = 0;
  status recurring_;
  std::function<void()> hook_;
};

}  // namespace convoy
