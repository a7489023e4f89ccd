// What an event stands for: the latest point it was recorded at, or, when it is latched, the
// recording to come.
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

// One recording. Never changes once made, so whoever holds it is untouched by later recordings.
struct event_recording {
  std::shared_ptr<signal> reached;
  stream_position where;
  std::shared_ptr<marker_action::stamp> time;  // null without timing
  std::uint64_t shared = 0;                    // its number among all recordings of a shared event

  // True as soon as anyone can see that the step has landed; the signal is raised a moment later.
  [[nodiscard]] bool landed() const noexcept { return where.queue->landed(where.position); }
};

class event_state {
 public:
  event_state(device_id device, bool timing, bool latched = false,
              std::shared_ptr<ipc_event> shared = nullptr)
      : device_(device), timing_(timing), latched_(latched), shared_(std::move(shared)) {}

  [[nodiscard]] device_id device() const noexcept { return device_; }
  [[nodiscard]] bool timing() const noexcept { return timing_; }
  [[nodiscard]] bool latched() const noexcept { return latched_; }

  // Does `body`, which records or waits for the event. Nobody gets between the step of a latched
  // event's recording and its mark, because his wait would be for a recording that is over.
  template <class Body>
  auto serialize(const Body& body) {
    if (!latched_) return body();
    const lock held(serialize_mutex_);
    return body();
  }

  // Null for an event of this process alone.
  [[nodiscard]] const std::shared_ptr<ipc_event>& shared() const noexcept { return shared_; }

  // The latest recording when it was made by another process; 0 when it was not.
  [[nodiscard]] std::uint64_t foreign_recording() const;

  void set(std::shared_ptr<const event_recording> latest);
  void reset();

  // Null before the first recording, and after a reset.
  [[nodiscard]] std::shared_ptr<const event_recording> latest() const;

  // What a wait is for: the latest recording, or the one to come; null when there is nothing to
  // wait for.
  std::shared_ptr<signal> awaited_signal();

  // The signal that waits for the recording to come hold; the recording raises it. Null when nobody
  // waits.
  std::shared_ptr<signal> take_next_signal();

  // No recording will come any more.
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

// When the event was reached.
result<os::clock::time_point> time_of(const event_state& event);

result<std::chrono::nanoseconds> elapsed_between(const event_state& start, const event_state& end);

}  // namespace convoy
