// The state of an event: its latest recording, or, for a latched event, the signal of the next one.
#pragma once

#include <chrono>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <memory>

#include "base/mutex.hpp"
#include "stream/actions.hpp"
#include "stream/device_queues.hpp"
#include "stream/ipc_event.hpp"

namespace convoy {

// One recording. Immutable, so that later recordings do not affect threads that hold it.
struct event_recording {
  std::shared_ptr<signal> reached;
  stream_position recorded_at;
  std::shared_ptr<marker_action::stamp> time;  // null without timing
  std::uint64_t shared = 0;                    // its number among all recordings of an IPC event

  // True once the step has landed; the signal is raised a moment later.
  [[nodiscard]] bool landed() const noexcept {
    return recorded_at.queue->landed(recorded_at.position);
  }
};

class event_state {
 public:
  event_state(device_id device, bool timing, bool latched = false,
              std::shared_ptr<ipc_event> shared = nullptr)
      : device_(device), timing_(timing), latched_(latched), shared_(std::move(shared)) {}

  [[nodiscard]] device_id device() const noexcept { return device_; }
  [[nodiscard]] bool timing() const noexcept { return timing_; }
  [[nodiscard]] bool latched() const noexcept { return latched_; }

  // Calls `body`, which records or waits for the event. For a latched event no wait may come
  // between the step of a recording and set(), because it would wait for a recording that has
  // ended.
  template <class Body>
  auto serialize(const Body& body) {
    if (!latched_) return body();
    const lock held(serialize_mutex_);
    return body();
  }

  // Null for an event that was not created for interprocess use.
  [[nodiscard]] const std::shared_ptr<ipc_event>& shared() const noexcept { return shared_; }

  // The number of the latest recording if another process made it, else 0.
  [[nodiscard]] std::uint64_t foreign_recording() const;

  void set(std::shared_ptr<const event_recording> latest);
  void reset();

  // Null before the first recording, and after a reset.
  [[nodiscard]] std::shared_ptr<const event_recording> latest() const;

  // The signal that a wait waits for: of the latest recording, or of the next one; null when there
  // is nothing to wait for.
  std::shared_ptr<signal> awaited_signal();

  // The signal of waits for the next recording, which the recording has to raise. Null without
  // waits.
  std::shared_ptr<signal> take_next_signal();

  // The event is destroyed: ends waits for its next recording.
  void retire();

 private:
  const device_id device_;
  const bool timing_;
  const bool latched_;
  const std::shared_ptr<ipc_event> shared_;
  mutex serialize_mutex_;
  mutable mutex mutex_;
  std::shared_ptr<const event_recording> latest_ CONVOY_GUARDED_BY(mutex_);
  std::shared_ptr<signal> next_signal_ CONVOY_GUARDED_BY(mutex_);
  bool retired_ CONVOY_GUARDED_BY(mutex_) = false;
};

// The time of the latest recording.
result<os::clock::time_point> time_of(const event_state& event);

result<std::chrono::nanoseconds> elapsed_between(const event_state& start, const event_state& end);

}  // namespace convoy
