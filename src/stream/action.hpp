// The work of a step.
#pragma once

#include <convoy/status.hpp>

#include "seam/device.hpp"
#include "seam/observer.hpp"

namespace convoy {

class action {
 public:
  virtual ~action() = default;

  // As device_port::start(): the outcome, or none when `done` gets it later.
  virtual started_work start(completion& done) = 0;
  [[nodiscard]] virtual step_summary summary() const noexcept = 0;

  // True for code that may block and so must not run on a worker: host functions, waits.
  [[nodiscard]] virtual bool may_block() const noexcept { return false; }

  // True for a few bytes moved by the device's own code, so that a lock may be held over start(),
  // which then always answers an outcome.
  [[nodiscard]] virtual bool is_brief() const noexcept { return false; }
};

// An action that has finished when it returns.
class immediate_action : public action {
 public:
  started_work start(completion& /*unused*/) final { return run(); }
  virtual status run() = 0;
};

}  // namespace convoy
