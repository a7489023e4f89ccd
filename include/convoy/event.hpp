// A point in a stream that others can wait for.
//
// record() moves the event to a new point; waits that were issued before keep the old one. An event
// that was never recorded counts as reached, except that a wait for a latched one waits for the
// recording to come.
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
  bool latched = false;       // can be waited for before it is recorded, and reset()
  bool interprocess = false;  // can be exported to other processes; keeps no time, is not latched
};

class CONVOY_EXPORT event_ref {
 public:
  event_ref() noexcept = default;
  explicit event_ref(std::uint64_t handle) noexcept : handle_(handle) {}

  [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }

  // ok when reached, not_ready before that; a latched event that is not recorded is not ready.
  [[nodiscard]] status query() const;
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;

  friend bool operator==(event_ref, event_ref) = default;

 private:
  std::uint64_t handle_ = 0;
};

// Owns the event. Destroying it before it is reached is fine: waits that hold it still happen, and
// waits for a recording that can no longer come are over.
class CONVOY_EXPORT event : public event_ref {
 public:
  event() noexcept = default;
  explicit event(event_ref owned) noexcept : event_ref(owned) {}
  event(event&& other) noexcept : event_ref(std::exchange(other.ref(), event_ref{})) {}
  event& operator=(event&& other) noexcept;
  ~event();

  event_ref release() noexcept { return std::exchange(ref(), event_ref{}); }

 private:
  event_ref& ref() noexcept { return *this; }
};

CONVOY_EXPORT result<event> make_event(device_id device, event_options options = {});
CONVOY_EXPORT status destroy(event_ref event);

// From `start` to `end`. wrong_device when they belong to two devices, not_recorded when one was
// never recorded or keeps no time, not_ready when one is not yet reached.
CONVOY_EXPORT result<std::chrono::nanoseconds> elapsed(event_ref start, event_ref end);

// When the event was reached; answers as elapsed() does.
CONVOY_EXPORT result<std::chrono::steady_clock::time_point> time_of(event_ref event);

// From now on a latched event counts as not recorded, whatever is in flight: the next waits are for
// the next recording. not_supported for any other event.
CONVOY_EXPORT status reset(event_ref event);

}  // namespace convoy
