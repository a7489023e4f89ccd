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

  started_work start(const copy_work& work, completion& done) override {
    const auto reason = injected();
    return reason ? reason : inner_.start(work, done);
  }
  started_work start(const pitched_copy& work, completion& done) override {
    const auto reason = injected();
    return reason ? reason : inner_.start(work, done);
  }
  started_work start_fill(const pitched& target, const box& extent, fill_pattern pattern,
                          completion& done) override {
    const auto reason = injected();
    return reason ? reason : inner_.start_fill(target, extent, pattern, done);
  }
  started_work start_reduce(const reduction& work, completion& done) override {
    const auto reason = injected();
    return reason ? reason : inner_.start_reduce(work, done);
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
