// What an event stands for: the latest point it was recorded at.
#pragma once

#include <chrono>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <memory>

#include "base/mutex.hpp"
#include "stream/actions.hpp"
#include "stream/device_queues.hpp"
#include "stream/shared_mark.hpp"

namespace convoy {

// One recording. Never changes once made, so whoever holds it is untouched by later recordings.
struct mark {
  std::shared_ptr<signal> reached;
  point where;
  std::shared_ptr<place_action::stamp> time;  // null without timing
  std::uint64_t shared = 0;                   // its number among all recordings of a shared event

  // True as soon as anyone can see that the step has landed; the signal is raised a moment later.
  [[nodiscard]] bool landed() const noexcept { return where.queue->landed(where.at); }
};

class event_state {
 public:
  event_state(device_id device, bool timing, std::shared_ptr<shared_mark> shared = nullptr)
      : device_(device), timing_(timing), shared_(std::move(shared)) {}

  [[nodiscard]] device_id device() const noexcept { return device_; }
  [[nodiscard]] bool timing() const noexcept { return timing_; }

  // Null for an event of this process alone.
  [[nodiscard]] const std::shared_ptr<shared_mark>& shared() const noexcept { return shared_; }

  // The latest recording when it was made by another process; 0 when it was not.
  [[nodiscard]] std::uint64_t foreign_recording() const;

  void set(std::shared_ptr<const mark> latest);

  // Null before the first recording.
  [[nodiscard]] std::shared_ptr<const mark> latest() const;

 private:
  const device_id device_;
  const bool timing_;
  const std::shared_ptr<shared_mark> shared_;
  mutable mutex mutex_;
  std::shared_ptr<const mark> latest_ CONVOY_GUARDED_BY(mutex_);
};

result<std::chrono::nanoseconds> elapsed_between(const event_state& start, const event_state& end);

}  // namespace convoy
