// An observer that keeps what it is told, as words.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <mutex>
#include <string>

#include "seam/observer.hpp"

namespace convoy::test {

class recording_observer final : public observer {
 public:
  void submitted(const observed_step& step) override { add("submitted", step); }
  void started(const observed_step& step) override { add("started", step); }
  void landed(const observed_step& step, const status& outcome) override {
    add(outcome.ok() ? "landed" : std::string(name(outcome.code)), step);
  }

  // Such as "submitted:7.1", for ticket 1 of stream 7.
  [[nodiscard]] std::string text() const {
    const std::lock_guard held(mutex_);
    return text_;
  }

 private:
  void add(const std::string& what, const observed_step& step) {
    const std::lock_guard held(mutex_);
    text_ += (text_.empty() ? "" : " ") + what + ':' + std::to_string(step.stream) + '.' +
             std::to_string(number(step.position));
  }

  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace convoy::test
