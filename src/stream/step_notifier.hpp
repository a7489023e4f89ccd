// Notifies observers of the steps of one queue.
//
// While there is no observer, each function loads a pointer and takes no timestamp.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>

#include "seam/observer.hpp"
#include "stream/step.hpp"

namespace convoy {

// The stream that observers see, and the observers.
struct observed_stream {
  std::uint64_t number = 0;
  device_id device = {};
  const observer_slot* observers = nullptr;
  observer* failure_observer = nullptr;  // landed() is called for failed steps only
};

class step_notifier {
 public:
  explicit step_notifier(const observed_stream& stream) : stream_(stream) {}

  // The handle of the stream in programs. Set before any thread can submit.
  void set_handle(std::uint64_t handle) noexcept { handle_ = handle; }

  [[nodiscard]] step_position position_of(ticket t) const noexcept { return {stream_.number, t}; }

  [[nodiscard]] observer* current() const noexcept {
    return stream_.observers == nullptr ? nullptr : stream_.observers->load();
  }

  // Called before any thread can claim the step, and before the other notices of it.
  void submitted(observer& current, const action& work, const step& next,
                 const submitting_call* call) const;

  // Returns the time of the start, for landed(); unset while there is no observer.
  [[nodiscard]] observed_step::time started(const action& work, const step& head) const {
    observer* const to = current();
    return to == nullptr ? observed_step::time{} : notify_started(*to, work, head);
  }
  void landed(const action& work, const step& head, observed_step::time started,
              const status& outcome) const {
    if (observer* const to = current()) notify_landed(*to, work, head, started, outcome);
  }

  // The step was skipped, or dropped from the queue: started() is not called for it.
  void dropped(const action& work, const step& one) const {
    if (observer* const to = current()) notify_dropped(*to, work, one);
  }

  // After landed() of a step that failed.
  void failed(const action& work, const step& head, const status& outcome) const {
    if (stream_.failure_observer == nullptr) return;
    stream_.failure_observer->landed(observed(work, head), outcome);
  }

 private:
  [[nodiscard]] observed_step observed(const action& work, const step& one) const;
  observed_step::time notify_started(observer& to, const action& work, const step& head) const;
  void notify_landed(observer& to, const action& work, const step& head,
                     observed_step::time started, const status& outcome) const;
  void notify_dropped(observer& to, const action& work, const step& one) const;

  const observed_stream stream_;
  std::uint64_t handle_ = 0;
};

}  // namespace convoy
