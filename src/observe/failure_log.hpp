// Writes a line to standard error for every step that fails.
#pragma once

#include "seam/observer.hpp"

namespace convoy {

class failure_log final : public observer {
 public:
  void submitted(const observed_step&) override {}
  void started(const observed_step&) override {}
  void landed(const observed_step& step, const status& outcome) override;
};

}  // namespace convoy
