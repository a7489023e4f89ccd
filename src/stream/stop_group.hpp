// Streams that stop together: a failure of one has the steps of all passed over.
//
// The stop ends when a stream's error is cleared. What was submitted before that is passed over all
// the same, so that no stream runs a step after it left out the one before.
//
// A queue asks its group under its own lock, so the group never locks a queue under its lock.
#pragma once

#include <atomic>
#include <convoy/status.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"

namespace convoy {

class work_queue;

class stop_group {
 public:
  // A failure that stops; failures of a group are counted from 1.
  struct stop {
    std::uint64_t number = 0;
    status error;
  };

  [[nodiscard]] bool stopped() const noexcept {
    return stopped_.load(std::memory_order_acquire);  // stored by stop_all() and resume()
  }
  [[nodiscard]] stop latest() const;

  void add(std::weak_ptr<work_queue> member);
  stop stop_all(const status& error);

  // Ends the stop, for somebody who knows of its failures up to that number.
  void resume(std::uint64_t known);

 private:
  struct ending {
    stop last;
    std::vector<std::weak_ptr<work_queue>> members;
  };
  ending stop_to_end(std::uint64_t known) const;

  mutable mutex mutex_;
  std::vector<std::weak_ptr<work_queue>> members_ CONVOY_GUARDED_BY(mutex_);
  stop latest_ CONVOY_GUARDED_BY(mutex_);
  std::uint64_t first_ CONVOY_GUARDED_BY(mutex_) = 0;  // failure of the stop that lasts
  std::atomic<bool> stopped_ = false;                  // written under the lock
};

}  // namespace convoy
