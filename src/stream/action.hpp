// The interface of the work of a step.
#pragma once

#include <convoy/status.hpp>

#include "seam/device.hpp"
#include "seam/observer.hpp"

namespace convoy {

class action {
 public:
  virtual ~action() = default;

  // Like device_port::start(): returns the outcome, or none and calls `done` later.
  virtual started_work start(completion& done) = 0;
  [[nodiscard]] virtual step_summary summary() const noexcept = 0;

  // True for work that may block and must not run on a worker: host functions, waits.
  [[nodiscard]] virtual bool may_block() const noexcept { return false; }

  // True for a few bytes that the device copies inline, so that the queue may hold its lock during
  // start(), which then always returns the outcome.
  [[nodiscard]] virtual bool is_brief() const noexcept { return false; }

  // True for work that accesses memory of the program, which may be unmapped.
  [[nodiscard]] bool may_fault() const noexcept { return may_fault_; }
  void set_may_fault(bool may_fault) noexcept { may_fault_ = may_fault; }

 private:
  bool may_fault_ = false;
};

// An action that finishes before start() returns.
class immediate_action : public action {
 public:
  started_work start(completion& /*unused*/) final { return run(); }
  virtual status run() = 0;
};

}  // namespace convoy
