#include "stream/signal.hpp"

#include <utility>

#include "stream/work_queue.hpp"

namespace convoy {

void signal::raise() {
  std::vector<std::shared_ptr<work_queue>> waiting;
  std::vector<std::shared_ptr<const void>> kept;  // destroyed after the lock is released
  {
    const lock held(mutex_);
    os::annotate_release(&raised_);
    raised_.store(true, std::memory_order_release);  // read by raised()
    waiting = std::exchange(waiting_, {});
    kept = std::exchange(kept_objects_, {});
  }
  for (const auto& queue : waiting) queue->resume();
}

bool signal::subscribe(std::shared_ptr<work_queue> queue) {
  const lock held(mutex_);
  if (raised_.load(std::memory_order_relaxed)) return false;
  waiting_.push_back(std::move(queue));
  return true;
}

void signal::keep_alive(std::shared_ptr<const void> object) {
  const lock held(mutex_);
  if (!raised_.load(std::memory_order_relaxed)) kept_objects_.push_back(std::move(object));
}

}  // namespace convoy
