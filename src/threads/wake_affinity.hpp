// Keeps a sleeping worker off the CPU of the thread that wakes it.
//
// Schedulers prefer to run a woken thread on the waker's CPU. If the waker stays busy, the thread
// waits in its run queue for a millisecond or more while other CPUs are idle. Before the wake-up
// the waker bars the sleeper from its own CPU; the sleeper restores its affinity once it runs.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/affinity.hpp"

namespace convoy::threads {

class wake_affinity {
 public:
  // Called by the sleeper around its sleep; after_wake() restores the affinity it had.
  void before_sleep() noexcept;
  void after_wake() noexcept;

  // Called by the waker before the wake-up: bars the sleeper from the waker's CPU. False when it
  // does not sleep or has no other CPU. Costs two system calls.
  bool avoid_caller_cpu() noexcept;

 private:
  enum class affinity : std::uint8_t { original, changing, restricted };

  [[nodiscard]] bool bar_from(int cpu) noexcept;

  std::atomic<std::uint32_t> sleeper_ = 0;  // its thread id; 0 while it is awake
  std::atomic<affinity> affinity_ = affinity::original;
  os::cpu_affinity original_;  // owned by the thread that moves affinity_ to or from `changing`
};

}  // namespace convoy::threads
