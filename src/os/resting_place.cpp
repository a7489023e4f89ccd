#include "os/resting_place.hpp"

#include "os/process.hpp"

namespace convoy::os {

void resting_place::lie_down() noexcept {
  sleeper_.store(thread_number(), std::memory_order_relaxed);
}

void resting_place::get_up() noexcept {
  sleeper_.store(0, std::memory_order_relaxed);
  // A change under way is undone after the next sleep.
  if (reach_.load(std::memory_order_acquire) != reach::less) return;
  ::sched_setaffinity(0, sizeof before_, &before_);
  reach_.store(reach::own, std::memory_order_release);
}

bool resting_place::make_way() noexcept {
  if (sleeper_.load(std::memory_order_relaxed) == 0) return false;
  auto expected = reach::own;
  if (!reach_.compare_exchange_strong(expected, reach::changing, std::memory_order_acquire)) {
    return false;
  }
  const bool barred = bar_from(::sched_getcpu());
  reach_.store(barred ? reach::less : reach::own, std::memory_order_release);
  return barred;
}

bool resting_place::bar_from(int processor) noexcept {
  const auto sleeper = static_cast<pid_t>(sleeper_.load(std::memory_order_relaxed));
  if (processor < 0 || sleeper == 0) return false;
  if (::sched_getaffinity(sleeper, sizeof before_, &before_) != 0) return false;
  cpu_set_t others = before_;
  CPU_CLR(static_cast<std::size_t>(processor), &others);
  return CPU_COUNT(&others) != 0 && ::sched_setaffinity(sleeper, sizeof others, &others) == 0;
}

}  // namespace convoy::os
