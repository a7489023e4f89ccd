#include "base/mutex.hpp"

#include <chrono>

namespace convoy {
namespace {

// Sleep time while another thread holds the mutex briefly: it was preempted or takes a page fault.
constexpr auto nap = std::chrono::microseconds(50);

}  // namespace

void mutex::lock_slowly() noexcept {
  for (int spins = 0; spins != 100; ++spins) {
    std::uint32_t expected = unlocked;
    if (word_.load(std::memory_order_relaxed) == unlocked &&
        word_.compare_exchange_weak(expected, locked, std::memory_order_acquire)) {
      return;
    }
    os::relax();
  }
  for (;;) {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    if (seen == brief) {
      os::sleep_while(word_, brief, os::deadline_after(nap));
    } else if (seen == unlocked) {
      // Other threads may sleep; unlock() wakes them only if the mutex is `contended`.
      if (word_.compare_exchange_weak(seen, contended, std::memory_order_acquire)) return;
    } else if (seen == contended ||
               word_.compare_exchange_weak(seen, contended, std::memory_order_relaxed)) {
      os::sleep_while(word_, contended, {});
    }
  }
}

}  // namespace convoy
