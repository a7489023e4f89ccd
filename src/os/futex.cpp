#include "os/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace convoy::os {
namespace {

using word_type = std::atomic<std::uint32_t>;

long futex(const word_type& word, int op, std::uint32_t value, const timespec* until) noexcept {
  return ::syscall(SYS_futex, &word, op, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void sleep(const word_type& word, int scope, std::uint32_t seen, deadline until) noexcept {
  if (!until) {
    futex(word, FUTEX_WAIT_BITSET | scope, seen, nullptr);
    return;
  }
  // FUTEX_WAIT_BITSET takes an absolute time on the monotonic clock, which is steady_clock.
  const auto since_start = until->time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_start);
  const timespec at{static_cast<std::time_t>(seconds.count()),
                    static_cast<long>(std::chrono::nanoseconds(since_start - seconds).count())};
  futex(word, FUTEX_WAIT_BITSET | scope, seen, &at);
}

constexpr int within_process = FUTEX_PRIVATE_FLAG;
constexpr int between_processes = 0;

}  // namespace

void sleep_while(const word_type& word, std::uint32_t seen, deadline until) noexcept {
  sleep(word, within_process, seen, until);
}

void sleep_while_shared(const word_type& word, std::uint32_t seen, deadline until) noexcept {
  sleep(word, between_processes, seen, until);
}

void wake_one(const word_type& word) noexcept {
  futex(word, FUTEX_WAKE_BITSET | within_process, 1, nullptr);
}

void wake_all(const word_type& word) noexcept {
  futex(word, FUTEX_WAKE_BITSET | within_process, INT_MAX, nullptr);
}

void wake_all_shared(const word_type& word) noexcept {
  futex(word, FUTEX_WAKE_BITSET | between_processes, INT_MAX, nullptr);
}

}  // namespace convoy::os
