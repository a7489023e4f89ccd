// A step of a stream.
#pragma once

#include <convoy/ids.hpp>
#include <memory>
#include <vector>

#include "seam/observer.hpp"
#include "stream/action.hpp"
#include "stream/signal.hpp"

namespace convoy {

struct step {
  std::unique_ptr<action> work;
  std::vector<std::shared_ptr<signal>> waits = {};   // all raised before it runs
  std::vector<std::shared_ptr<signal>> raises = {};  // raised when it has landed
  const submitting_call* call = nullptr;             // for observers, during push() only
  ticket position = {};
  observed_step::time submitted = {};  // set while there is an observer
};

}  // namespace convoy
