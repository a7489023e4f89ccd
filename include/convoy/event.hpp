// An event marks a position in a stream that streams, threads and other processes can wait for.
//
// record() (stream.hpp) moves the event to a new position; waits that were issued before keep the
// old one. The event is reached when every step before its position has landed. An event that was
// never recorded counts as reached, with one exception: a stream that waits for a latched event
// waits for the recording to come.
#pragma once

#include <chrono>
#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <utility>

namespace convoy {

struct event_options {
  bool timing = true;         // elapsed() and time_of() need it
  bool latched = false;       // streams can wait for it before it is recorded; allows reset()
  bool interprocess = false;  // can be exported to other processes; no timing, not latched
};

// Refers to an event and does not own it. The default refers to none: invalid_handle.
class CONVOY_EXPORT event_ref {
 public:
  event_ref() noexcept = default;
  explicit event_ref(std::uint64_t handle) noexcept : handle_(handle) {}

  [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }

  // Returns at once: ok when the event is reached, else not_ready; for a latched event without a
  // recording not_ready. Says nothing about failures of the stream.
  [[nodiscard]] status query() const;

  // Waits until the latest recording is reached; the waiting thread helps with the copies before
  // it. Returns ok at once if there is no recording. Answers the stream's error if it failed at or
  // before that position, aborted if the recording was dropped, timed_out when the timeout passes
  // first (the work goes on), not_permitted in a host function that holds the recording up, and
  // device_failure if the process that recorded the event has ended.
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;

  friend bool operator==(event_ref, event_ref) = default;

 private:
  std::uint64_t handle_ = 0;
};

// Owns an event, which it destroys as destroy() does.
class CONVOY_EXPORT event : public event_ref {
 public:
  event() noexcept = default;
  explicit event(event_ref owned) noexcept : event_ref(owned) {}
  event(event&& other) noexcept : event_ref(std::exchange(other.ref(), event_ref{})) {}
  event& operator=(event&& other) noexcept;
  ~event();

  // Gives up ownership: the caller destroys the event.
  event_ref release() noexcept { return std::exchange(ref(), event_ref{}); }

 private:
  event_ref& ref() noexcept { return *this; }
};

// An event that streams of `device` can record. Returns at once. Answers invalid_device,
// not_supported for an event that is both latched and interprocess, or out_of_memory.
CONVOY_EXPORT result<event> make_event(device_id device, event_options options = {});

// Destroys the event without waiting. Waits that were issued before still happen; those for a
// recording that can no longer come end.
CONVOY_EXPORT status destroy(event_ref event);

// The time from `start` to `end`, negative if `end` was reached first. Does not wait. Answers
// wrong_device for events of two devices, not_recorded if an event was never recorded, has no
// timing or its recording was dropped, and not_ready if one is not reached yet.
CONVOY_EXPORT result<std::chrono::nanoseconds> elapsed(event_ref start, event_ref end);

// When the event was reached. Does not wait. Answers not_recorded or not_ready, as elapsed() does.
CONVOY_EXPORT result<std::chrono::steady_clock::time_point> time_of(event_ref event);

// Makes a latched event count as not recorded, also if its recording is not reached yet: later
// waits are for the next recording. Does not wait. Answers not_supported for any other event.
CONVOY_EXPORT status reset(event_ref event);

}  // namespace convoy
