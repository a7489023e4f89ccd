// A one-time condition that queues wait for. Order between streams is always a signal that a step
// of one stream raises and a step of the other waits for.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "os/thread_sanitizer.hpp"

namespace convoy {

class work_queue;

class signal {
 public:
  // `source` is the queue whose step raises the signal; a waiter may run its steps.
  explicit signal(std::weak_ptr<work_queue> source, ticket at = {})
      : source_(std::move(source)), position_(at) {}

  // Sets the step that raises it; called by the queue when the step gets its ticket.
  void bind(ticket at) noexcept { position_ = at; }

  [[nodiscard]] bool raised() const noexcept {
    if (!raised_.load(std::memory_order_acquire)) return false;  // stored by raise()
    os::annotate_acquire(&raised_);
    return true;
  }
  void raise();

  // Resumes `queue` when the signal is raised, and keeps it alive until then; false when the signal
  // is already raised.
  bool subscribe(std::shared_ptr<work_queue> queue);

  // Holds `object` until the signal is raised; does nothing when it is already raised.
  void keep_alive(std::shared_ptr<const void> object);

  [[nodiscard]] std::shared_ptr<work_queue> source() const { return source_.lock(); }
  [[nodiscard]] ticket position() const noexcept { return position_; }

 private:
  const std::weak_ptr<work_queue> source_;
  ticket position_;  // set before any other thread has the signal
  std::atomic<bool> raised_ = false;

  mutex mutex_;
  std::vector<std::shared_ptr<work_queue>> waiting_ CONVOY_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<const void>> kept_objects_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
