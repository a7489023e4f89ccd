// The streams of one device and the default-stream rules between them.
//
// A step in the legacy stream waits for everything submitted before it to blocking streams, and
// everything submitted to them afterwards waits for it. Non-blocking streams know nothing of it.
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

  // As work_queue::try_run, where the rules between streams make nobody wait.
  ticket try_run(work_queue& queue, stream_role role, action& work,
                 const submission* details = nullptr);

  // Where every queue with work under way ends now.
  [[nodiscard]] std::vector<stream_position> tails();

  // Where every queue ends now, empty ones included.
  [[nodiscard]] std::vector<stream_position> ends();

 private:
  // Held until its work has landed, so that whoever asks about the device waits for that work, and
  // sees what it wrote, even when the stream is gone.
  struct member {
    std::shared_ptr<work_queue> queue;
    stream_role role;
  };

  // Lets go of queues that nobody else holds and that have nothing left to do.
  void forget_abandoned() CONVOY_REQUIRES(mutex_);

  const std::shared_ptr<work_queue> legacy_;

  // Until its first step the legacy stream costs the others nothing.
  std::atomic<bool> legacy_used_ = false;

  mutex mutex_;
  std::vector<member> members_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
