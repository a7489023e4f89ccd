#include "stream/wait_point.hpp"

#include <algorithm>
#include <chrono>

namespace convoy {
namespace {

// About the cost of a wake-up for the waiter.
constexpr auto spin_time = std::chrono::microseconds(50);

// How long a waiter sleeps that has to look for posted work.
constexpr auto longest_nap = std::chrono::milliseconds(1);

os::deadline sooner(os::deadline until, os::clock::duration nap) {
  const auto end = os::clock::now() + nap;
  return until ? std::min(*until, end) : end;
}

}  // namespace

void wait_point::spin_then_sleep(std::uint32_t seen, os::deadline until, executor& helped) {
  const auto spin_end = os::clock::now() + spin_time;
  while (epoch() == seen) {
    for (int i = 0; i != 32; ++i) os::relax();
    if (helped.assist()) return;
    if (os::clock::now() < spin_end) continue;
    // Sequentially consistent with wake(): the sleeper counts itself before the futex compares the
    // epoch, wake() raises the epoch before it reads the count.
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    os::sleep_while(epoch_, seen, helped.needs_waiters() ? sooner(until, longest_nap) : until);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
}

void wait_point::wake() noexcept {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) os::wake_all(epoch_);
}

}  // namespace convoy
