// The interface of an executor. Streams decide which steps are ready; the executor decides when and
// on which thread they run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace convoy {

// A queue of steps. run() without a ready step does nothing.
class runnable {
 public:
  virtual ~runnable() = default;
  virtual void run() = 0;
  [[nodiscard]] virtual int priority() const noexcept = 0;

  // Rises with every step that has landed, on any thread.
  [[nodiscard]] virtual std::uint64_t progress() const noexcept = 0;

  // True while an executor is going to run it; only executors change it. A thread that makes it
  // ready and then reads true need not post it again.
  std::atomic<bool> posted = false;
};

class executor {
 public:
  virtual ~executor() = default;

  // Runs `ready` soon. `bytes` is the amount of work: the executor wakes a thread at once only for
  // a large one.
  virtual void post(std::shared_ptr<runnable> ready, std::size_t bytes) = 0;

  // `bytes` more work for a runnable that is posted already.
  virtual void more_work(std::size_t bytes) = 0;

  // Runs `function` on a thread that may block. False when the system has no such thread.
  virtual bool call(std::function<void()> function) = 0;

  // Helps with running jobs on the calling thread. False when there was nothing to do.
  virtual bool assist() = 0;

  // True when no thread is sure to run posted work, because the system has none left. Threads that
  // wait then run it, by assist(), and do not sleep for long.
  [[nodiscard]] virtual bool needs_waiters() const noexcept { return false; }
};

}  // namespace convoy
