#include "state/report_desk.hpp"

#include <utility>

namespace convoy::ascendcl {

std::future<void> report_counter::leave(plain_function function, void* argument) {
  report made{function, argument};
  auto done = made.done.get_future();
  {
    const std::lock_guard held(mutex_);
    if (closed_) {
      made.done.set_value();
      return done;
    }
    left_.push_back(std::move(made));
  }
  news_.notify_one();
  return done;
}

std::optional<report> report_counter::take(std::chrono::milliseconds patience) {
  std::unique_lock held(mutex_);
  const auto something = [this] { return !left_.empty() || closed_; };
  if (patience.count() < 0) {
    news_.wait(held, something);
  } else {
    news_.wait_for(held, patience, something);
  }
  if (left_.empty()) return {};
  report next = std::move(left_.front());
  left_.pop_front();
  return next;
}

void report_counter::close() {
  std::deque<report> dropped;
  {
    const std::lock_guard held(mutex_);
    closed_ = true;
    dropped.swap(left_);
  }
  news_.notify_all();
  for (report& each : dropped) each.done.set_value();
}

bool report_desk::subscribe(std::uint64_t thread) {
  const std::lock_guard held(mutex_);
  if (!places_.contains(thread) && places_.size() == most_threads) return false;
  ++places_[thread].streams;
  return true;
}

void report_desk::unsubscribe(std::uint64_t thread) {
  std::shared_ptr<report_counter> ended;
  {
    const std::lock_guard held(mutex_);
    const auto at = places_.find(thread);
    if (at == places_.end() || --at->second.streams > 0) return;
    ended = at->second.counter;
    places_.erase(at);
  }
  ended->close();
}

std::shared_ptr<report_counter> report_desk::counter_of(std::uint64_t thread) {
  const std::lock_guard held(mutex_);
  const auto at = places_.find(thread);
  return at == places_.end() ? nullptr : at->second.counter;
}

report_desk& reports() {
  static auto* const only = new report_desk;
  return *only;
}

report_desk& host_functions() {
  static auto* const only = new report_desk;
  return *only;
}

}  // namespace convoy::ascendcl
