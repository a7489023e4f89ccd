// Streams that stop together: after a failure in one, the steps of all are skipped.
//
// The stop ends when the error of a stream is cleared. Steps submitted before that are still
// skipped, so that no stream runs a step after it skipped the previous one.
//
// Lock order: queue, then group. The group never locks a queue while it holds its own lock.
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
  // A failure that stopped the group; numbered from 1.
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

  // Ends the stop if the caller knows its failures: all up to number `known`.
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
  std::uint64_t first_ CONVOY_GUARDED_BY(mutex_) = 0;  // first failure of the current stop
  std::atomic<bool> stopped_ = false;                  // written under the lock
};

}  // namespace convoy
