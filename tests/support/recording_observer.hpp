// An observer that records every call as a word.
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

  void synchronized(const observed_sync& sync) override { add("synchronized", sync.reached); }
  void recorded(const observed_event& event) override { add("recorded", event.step); }
  void awaited(const observed_event& event) override {
    add(event.elided ? "elided" : "awaited", event.step);
  }
  void refused(const refused_call& call) override {
    const std::lock_guard held(mutex_);
    add_word("refused:" + std::string(call.function) + ':' + std::string(name(call.error.code)));
  }

  // Such as "submitted:7.1", for ticket 1 of stream 7.
  [[nodiscard]] std::string text() const {
    const std::lock_guard held(mutex_);
    return text_;
  }

 private:
  void add(const std::string& call, const observed_step& step) {
    add(call, step_position{step.stream, step.position});
  }
  void add(const std::string& call, const step_position& step) {
    const std::lock_guard held(mutex_);
    add_word(call + ':' + std::to_string(step.stream) + '.' +
             std::to_string(number(step.position)));
  }
  void add_word(const std::string& word) { text_ += (text_.empty() ? "" : " ") + word; }

  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace convoy::test
