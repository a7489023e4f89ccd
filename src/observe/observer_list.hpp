// Several observers as one: each gets every call, in the order of the list.
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
  void allocated(const observed_memory& memory) override {
    for (observer* each : all_) each->allocated(memory);
  }
  void freed(const observed_memory& memory) override {
    for (observer* each : all_) each->freed(memory);
  }
  void synchronized(const observed_sync& sync) override {
    for (observer* each : all_) each->synchronized(sync);
  }
  void recorded(const observed_event& event) override {
    for (observer* each : all_) each->recorded(event);
  }
  void awaited(const observed_event& event) override {
    for (observer* each : all_) each->awaited(event);
  }
  void refused(const refused_call& call) override {
    for (observer* each : all_) each->refused(call);
  }

  // The observer to call for all of them: none, the only one, or this list.
  [[nodiscard]] observer* as_observer() noexcept {
    if (all_.empty()) return nullptr;
    return all_.size() == 1 ? all_.front() : this;
  }

 private:
  const std::vector<observer*> all_;
};

}  // namespace convoy
