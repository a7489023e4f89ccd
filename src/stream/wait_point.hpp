// Threads that wait for the progress of a queue: they spin for about the cost of a wake-up, then
// sleep on a futex.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/futex.hpp"
#include "seam/executor.hpp"

namespace convoy {

class wait_point {
 public:
  // Read it before checking the queue: a wake() in between then ends the next wait at once.
  [[nodiscard]] std::uint32_t epoch() const noexcept {
    return epoch_.load(std::memory_order_acquire);  // raised by wake()
  }

  // Spins, then sleeps, until wake() is called after `seen` was read, the deadline, or the executor
  // has work that the thread can help with. Returns now and then while the executor needs waiters.
  void spin_then_sleep(std::uint32_t seen, os::deadline until, executor& helped);

  // Ends every wait. Makes a system call only when a thread sleeps.
  void wake() noexcept;

 private:
  std::atomic<std::uint32_t> epoch_ = 0;
  std::atomic<int> sleepers_ = 0;
};

}  // namespace convoy
