// A device that wraps another and fails, delays or holds back on request.
#pragma once

#include <atomic>
#include <convoy/status.hpp>
#include <functional>
#include <optional>

#include "base/mutex.hpp"
#include "seam/device.hpp"

namespace convoy {

class faulty_device final : public device_port {
 public:
  explicit faulty_device(device_port& inner) : inner_(inner) {}

  // The next work fails with `reason` and moves nothing.
  void fail_next(status reason);

  // Every `nth` work fails with `reason`; 0 stops that.
  void fail_every(std::uint32_t nth, status reason);

  // Called before each work, for instance to hold it back; empty for none.
  void before_each(std::function<void()> hook);

  status run(const copy_work& work) override;
  status run(const pitched_copy& work) override;
  status fill(const pitched& where, const box& extent, fill_pattern pattern) override;
  status reduce(const reduction& work) override;

 private:
  std::optional<status> injected();

  device_port& inner_;
  mutex mutex_;
  std::optional<status> next_ CONVOY_GUARDED_BY(mutex_);
  std::uint32_t every_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::uint32_t seen_ CONVOY_GUARDED_BY(mutex_) = 0;
  status recurring_ CONVOY_GUARDED_BY(mutex_);
  std::function<void()> hook_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
