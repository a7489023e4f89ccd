// What a step does when its turn comes.
#pragma once

#include <convoy/status.hpp>

#include "seam/observer.hpp"

namespace convoy {

class action {
 public:
  virtual ~action() = default;
  virtual status run() = 0;
  [[nodiscard]] virtual step_summary summary() const noexcept = 0;

  // True for foreign code, which may block and so must not hold up a worker.
  [[nodiscard]] virtual bool may_block() const noexcept { return false; }

  // True for what moves few bytes and calls nobody, so that a lock may be held over it.
  [[nodiscard]] virtual bool is_brief() const noexcept { return false; }
};

}  // namespace convoy
