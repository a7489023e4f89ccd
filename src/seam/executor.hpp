// Who runs the steps. Streams decide what may run; an executor decides when and on which thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace convoy {

// Something with steps that may be ready; running it when nothing is ready does nothing.
class runnable {
 public:
  virtual ~runnable() = default;
  virtual void run() = 0;
  [[nodiscard]] virtual int priority() const noexcept = 0;

  // Rises with every step that has landed, whoever ran it.
  [[nodiscard]] virtual std::uint64_t progress() const noexcept = 0;

  // True while an executor holds it and is going to run it; only executors change it. Whoever made
  // it ready before reading true here need not post it again.
  std::atomic<bool> posted = false;
};

class executor {
 public:
  virtual ~executor() = default;

  // Runs `ready` soon. `bytes` says how much work that is, so that the executor can judge whether
  // it is worth waking a thread at once.
  virtual void post(std::shared_ptr<runnable> ready, std::size_t bytes) = 0;

  // For a runnable that is listed already: there is more to do, as much as `bytes`.
  virtual void more_work(std::size_t bytes) = 0;

  // Runs `function` on a thread that it may block.
  virtual void call(std::function<void()> function) = 0;

  // Lends the calling thread to copying that is under way. False when there was nothing to do.
  virtual bool assist() = 0;
};

}  // namespace convoy
