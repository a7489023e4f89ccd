#include "base/mutex.hpp"

#include <chrono>

namespace convoy {
namespace {

// A brief holder that is not done after a while was interrupted, or its memory is slow to come.
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
      // Others may be asleep, whom only a contended mutex wakes.
      if (word_.compare_exchange_weak(seen, contended, std::memory_order_acquire)) return;
    } else if (seen == contended ||
               word_.compare_exchange_weak(seen, contended, std::memory_order_relaxed)) {
      os::sleep_while(word_, contended, {});
    }
  }
}

}  // namespace convoy
