// Several observers in the place of one; each is told everything, in the order of the list.
#pragma once

#include <utility>
#include <vector>

#include "seam/observer.hpp"

namespace convoy {

class observer_list final : public observer {
 public:
  explicit observer_list(std::vector<observer*> all) : all_(std::move(all)) {}

  void submitted(const observed_step& step) override {
    for (observer* each : all_) each->submitted(step);
  }
  void started(const observed_step& step) override {
    for (observer* each : all_) each->started(step);
  }
  void landed(const observed_step& step, const status& outcome) override {
    for (observer* each : all_) each->landed(step, outcome);
  }
  void helped(observed_step::time from, observed_step::time until) override {
    for (observer* each : all_) each->helped(from, until);
  }
  void allocated(const pointer_attributes& memory) override {
    for (observer* each : all_) each->allocated(memory);
  }
  void freed(const void* start) override {
    for (observer* each : all_) each->freed(start);
  }

  // The one to tell instead of all of them: none, a lone one, or this.
  [[nodiscard]] observer* as_observer() noexcept {
    if (all_.empty()) return nullptr;
    return all_.size() == 1 ? all_.front() : this;
  }

 private:
  const std::vector<observer*> all_;
};

}  // namespace convoy
