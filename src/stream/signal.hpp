// A one-time condition that queues wait for. Everything that orders one stream after another is a
// signal raised by a step of the one and awaited by a step of the other.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <memory>
#include <vector>

#include "base/mutex.hpp"

namespace convoy {

class work_queue;

class signal {
 public:
  // `source` is the queue whose step raises it, so that a waiter knows whom to help.
  explicit signal(std::weak_ptr<work_queue> source, ticket at = {})
      : source_(std::move(source)), position_(at) {}

  // The step that raises it, told by the queue when the step gets its ticket.
  void bind(ticket at) noexcept { position_ = at; }

  [[nodiscard]] bool raised() const noexcept {
    return raised_.load(std::memory_order_acquire);  // stored by raise()
  }
  void raise();

  // Has `queue` resumed when the signal is raised, and keeps it alive until then; false when it is
  // raised already.
  bool subscribe(std::shared_ptr<work_queue> queue);

  // Lets go of `object` when the signal is raised, or now when it is raised already.
  void keep_alive(std::shared_ptr<const void> object);

  [[nodiscard]] std::shared_ptr<work_queue> source() const { return source_.lock(); }
  [[nodiscard]] ticket position() const noexcept { return position_; }

 private:
  const std::weak_ptr<work_queue> source_;
  ticket position_;  // settled before anyone but the queue holds the signal
  std::atomic<bool> raised_ = false;

  mutex mutex_;
  std::vector<std::shared_ptr<work_queue>> waiting_ CONVOY_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<const void>> kept_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
