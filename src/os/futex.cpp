#include "os/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace convoy::os {
namespace {

long futex(const std::atomic<std::uint32_t>& word, int what, std::uint32_t value,
           const timespec* until) noexcept {
  return ::syscall(SYS_futex, &word, what | FUTEX_PRIVATE_FLAG, value, until, nullptr,
                   FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                 deadline until) noexcept {
  if (!until) {
    futex(word, FUTEX_WAIT_BITSET, seen, nullptr);
    return;
  }
  // FUTEX_WAIT_BITSET takes an absolute time on the monotonic clock, which is steady_clock.
  const auto since_start = until->time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_start);
  const timespec at{static_cast<std::time_t>(seconds.count()),
                    static_cast<long>(std::chrono::nanoseconds(since_start - seconds).count())};
  futex(word, FUTEX_WAIT_BITSET, seen, &at);
}

void wake_one(const std::atomic<std::uint32_t>& word) noexcept {
  futex(word, FUTEX_WAKE_BITSET, 1, nullptr);
}

void wake_all(const std::atomic<std::uint32_t>& word) noexcept {
  futex(word, FUTEX_WAKE_BITSET, INT_MAX, nullptr);
}

}  // namespace convoy::os
