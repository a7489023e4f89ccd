// A device that finishes later: it wraps another, holds all work until the test or a late_finisher
// finishes it, in any order, or fails it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "seam/device.hpp"
#include "support/eventually.hpp"
#include "support/finish.hpp"

namespace convoy::test {

class late_device final : public device_port {
 public:
  explicit late_device(device_port& inner) : inner_(inner) {}

  started_work start(const copy_work& work, completion& done) override {
    return hold([this, work] { return run_on(inner_, work); }, done);
  }
  started_work start(const pitched_copy& work, completion& done) override {
    return hold([this, &work] { return run_on(inner_, work); }, done);
  }
  started_work start_fill(const pitched& target, const box& extent, fill_pattern pattern,
                          completion& done) override {
    return hold([=, this] { return fill_on(inner_, target, extent, pattern); }, done);
  }
  started_work start_reduce(const reduction& work, completion& done) override {
    return hold([this, work] { return reduce_on(inner_, work); }, done);
  }

  [[nodiscard]] std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return held_work_.size();
  }

  // Finishes the work that was started first, or last, on the calling thread.
  void finish_first() { finish(take(true)); }
  void finish_last() { finish(take(false)); }

  // Moves nothing, and completes with the status.
  void fail_first(const status& reason) { take(true).done->complete(reason); }

  // Blocks until so much work is held. False when it does not come in time.
  [[nodiscard]] bool wait_until_held(std::size_t count = 1) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_until(lock, within_limit(), [&] { return held_work_.size() >= count; });
  }

 private:
  struct held_work {
    std::function<status()> run;
    completion* done = nullptr;
  };

  started_work hold(std::function<status()> run, completion& done) {
    {
      const std::lock_guard lock(mutex_);
      held_work_.push_back({std::move(run), &done});
    }
    arrived_.notify_all();
    return {};
  }
  held_work take(bool first) {
    const std::lock_guard lock(mutex_);
    held_work taken = std::move(first ? held_work_.front() : held_work_.back());
    first ? held_work_.pop_front() : held_work_.pop_back();
    return taken;
  }
  static void finish(const held_work& work) { work.done->complete(work.run()); }

  device_port& inner_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<held_work> held_work_;
};

// Finishes everything a late device holds, latest first, on a thread of its own.
class late_finisher {
 public:
  explicit late_finisher(late_device& device)
      : thread_([&device](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (device.held() == 0) {
              std::this_thread::yield();
            } else {
              device.finish_last();
            }
          }
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace convoy::test
