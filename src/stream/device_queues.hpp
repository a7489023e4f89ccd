// The streams of one device and the default-stream rules between them.
//
// A step in the legacy stream waits for all steps submitted before it to blocking streams, and all
// steps submitted to them afterwards wait for it. Non-blocking streams are not affected.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "os/futex.hpp"
#include "stream/work_queue.hpp"

namespace convoy {

enum class stream_role { legacy, blocking, non_blocking };

// A queue and a position in it.
struct stream_position {
  std::shared_ptr<work_queue> queue;
  ticket position = {};
};

class device_queues {
 public:
  explicit device_queues(queue_context context);

  [[nodiscard]] const std::shared_ptr<work_queue>& legacy() const noexcept { return legacy_; }
  std::shared_ptr<work_queue> make_queue(stream_role role, queue_context context);

  ticket submit(const std::shared_ptr<work_queue>& queue, stream_role role, step next);

  // Like work_queue::try_run; ticket 0 also when the default-stream rules may apply.
  ticket try_run(work_queue& queue, stream_role role, action& work,
                 const submitting_call* call = nullptr);

  // The last position of every queue with pending work.
  [[nodiscard]] std::vector<stream_position> tails();

  // The last position of every queue.
  [[nodiscard]] std::vector<stream_position> ends();

  // The last position of the legacy queue and of every blocking one.
  [[nodiscard]] std::vector<stream_position> ordered_ends();

 private:
  // A queue is kept until its work has landed, so that a wait for the device includes the work of
  // destroyed streams.
  struct member {
    std::shared_ptr<work_queue> queue;
    stream_role role;
  };

  template <class Wanted>
  std::vector<stream_position> ends_of(const Wanted& wanted);

  // Removes empty queues whose stream was destroyed.
  void forget_abandoned() CONVOY_REQUIRES(mutex_);

  const std::shared_ptr<work_queue> legacy_;

  // Set by the first step of the legacy stream; until then blocking streams skip the lock.
  std::atomic<bool> legacy_used_ = false;

  mutex mutex_;
  std::vector<member> members_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
