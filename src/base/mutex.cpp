#include "base/mutex.hpp"

namespace convoy {

void mutex::lock_slowly() noexcept {
  for (int spins = 0; spins != 100; ++spins) {
    std::uint32_t expected = unlocked;
    if (word_.load(std::memory_order_relaxed) == unlocked &&
        word_.compare_exchange_weak(expected, locked, std::memory_order_acquire)) {
      return;
    }
    os::relax();
  }
  // From here on the holder must assume that somebody sleeps.
  while (word_.exchange(contended, std::memory_order_acquire) != unlocked) {
    os::sleep_while(word_, contended, {});
  }
}

}  // namespace convoy
