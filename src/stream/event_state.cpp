#include "stream/event_state.hpp"

#include <utility>

namespace convoy {

result<os::clock::time_point> time_of(const event_state& event) {
  const auto latest = event.latest();
  if (!latest || !latest->time) return status{errc::not_recorded};
  if (!latest->landed()) return status{errc::not_ready};
  const auto count = latest->time->load(std::memory_order_relaxed);
  if (count == 0) return status{errc::not_recorded};  // dropped by an abort
  return os::clock::time_point(os::clock::duration(count));
}

std::uint64_t event_state::foreign_recording() const {
  if (!shared_) return 0;
  const auto own = latest();
  const std::uint64_t newest = shared_->latest();
  return own && own->shared == newest ? 0 : newest;
}

void event_state::set(std::shared_ptr<const event_recording> latest) {
  const lock held(mutex_);
  latest_ = std::move(latest);
}

void event_state::reset() {
  const lock held(mutex_);
  latest_.reset();
}

std::shared_ptr<const event_recording> event_state::latest() const {
  const lock held(mutex_);
  return latest_;
}

std::shared_ptr<signal> event_state::awaited_signal() {
  const lock held(mutex_);
  if (latest_) return latest_->reached;
  if (!latched_ || retired_) return nullptr;
  // The recording stream is not known yet, so the signal has no source that a waiter could help.
  if (!next_signal_) next_signal_ = std::make_shared<signal>(std::weak_ptr<work_queue>());
  return next_signal_;
}

std::shared_ptr<signal> event_state::take_next_signal() {
  const lock held(mutex_);
  return std::exchange(next_signal_, nullptr);
}

void event_state::retire() {
  {
    const lock held(mutex_);
    retired_ = true;
  }
  if (const auto next = take_next_signal()) next->raise();
}

result<std::chrono::nanoseconds> elapsed_between(const event_state& start, const event_state& end) {
  if (start.device() != end.device()) return status{errc::wrong_device};
  const auto from = time_of(start);
  const auto to = time_of(end);
  // An event that can never have a time comes before one that has none yet.
  if (!to && to.error().code == errc::not_recorded) return to.error();
  if (!from) return from.error();
  if (!to) return to.error();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(*to - *from);
}

}  // namespace convoy
