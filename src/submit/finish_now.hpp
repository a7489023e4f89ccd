// Device work that the calling thread waits for: sources that are read before a call returns.
#pragma once

#include <atomic>
#include <convoy/status.hpp>
#include <cstdint>

#include "os/futex.hpp"
#include "os/thread_sanitizer.hpp"
#include "seam/device.hpp"

namespace convoy {

class blocking_completion final : public completion {
 public:
  void complete(const status& outcome) override {
    outcome_ = outcome;
    os::annotate_release(&finished_);
    finished_.store(1, std::memory_order_release);  // read by wait()
    os::wake_all(finished_);
  }
  status wait() {
    while (finished_.load(std::memory_order_acquire) == 0) os::sleep_while(finished_, 0, {});
    os::annotate_acquire(&finished_);
    return outcome_;
  }

 private:
  status outcome_;
  std::atomic<std::uint32_t> finished_ = 0;
};

// Calls start(completion) and sleeps until the work has finished.
template <class Start>
status finish_now(const Start& start) {
  blocking_completion done;
  const started_work outcome = start(done);
  return outcome ? *outcome : done.wait();
}

}  // namespace convoy
