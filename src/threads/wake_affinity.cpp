#include "threads/wake_affinity.hpp"

#include "os/process.hpp"

namespace convoy::threads {

void wake_affinity::before_sleep() noexcept {
  sleeper_.store(os::thread_id(), std::memory_order_relaxed);
}

void wake_affinity::after_wake() noexcept {
  sleeper_.store(0, std::memory_order_relaxed);
  // If the waker is still changing it, the affinity is restored after the next sleep.
  if (affinity_.load(std::memory_order_acquire) != affinity::restricted) return;
  static_cast<void>(original_.apply(0));
  affinity_.store(affinity::original, std::memory_order_release);
}

bool wake_affinity::avoid_caller_cpu() noexcept {
  if (sleeper_.load(std::memory_order_relaxed) == 0) return false;
  auto expected = affinity::original;
  if (!affinity_.compare_exchange_strong(expected, affinity::changing, std::memory_order_acquire)) {
    return false;
  }
  const bool barred = bar_from(os::current_cpu());
  affinity_.store(barred ? affinity::restricted : affinity::original, std::memory_order_release);
  return barred;
}

bool wake_affinity::bar_from(int cpu) noexcept {
  const std::uint32_t sleeper = sleeper_.load(std::memory_order_relaxed);
  if (cpu < 0 || sleeper == 0 || !original_.read(sleeper)) return false;
  os::cpu_affinity others = original_;
  others.remove(cpu);
  return !others.empty() && others.apply(sleeper);
}

}  // namespace convoy::threads
