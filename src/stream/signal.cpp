#include "stream/signal.hpp"

#include <utility>

#include "stream/work_queue.hpp"

namespace convoy {

void signal::raise() {
  std::vector<std::shared_ptr<work_queue>> waiting;
  {
    const lock held(mutex_);
    raised_.store(true, std::memory_order_release);  // read by raised()
    waiting = std::exchange(waiting_, {});
  }
  for (const auto& queue : waiting) queue->resume();
}

bool signal::subscribe(std::shared_ptr<work_queue> queue) {
  const lock held(mutex_);
  if (raised_.load(std::memory_order_relaxed)) return false;
  waiting_.push_back(std::move(queue));
  return true;
}

}  // namespace convoy
