// Writes a line to standard error for every step that fails.
#pragma once

#include "seam/observer.hpp"

namespace convoy {

class failure_log final : public observer {
 public:
  void submitted(const step_place&) override {}
  void started(const step_place&) override {}
  void landed(const step_place& step, const status& outcome) override;
};

}  // namespace convoy
