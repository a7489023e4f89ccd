// Sleep until a 32-bit word changes, and wake sleepers (futex).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace convoy::os {

using clock = std::chrono::steady_clock;
using deadline = std::optional<clock::time_point>;  // none: no limit

// The deadline `timeout` from now; none when it lies past the end of the clock.
inline deadline deadline_after(clock::duration timeout) noexcept {
  const auto now = clock::now();
  if (timeout > clock::time_point::max() - now) return {};
  return now + timeout;
}

// Sleeps while `word` equals `seen`, at most until the deadline. May wake spuriously.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                 deadline until) noexcept;

void wake_one(const std::atomic<std::uint32_t>& word) noexcept;
void wake_all(const std::atomic<std::uint32_t>& word) noexcept;

// The same for a word in memory that several processes map.
void sleep_while_shared(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                        deadline until) noexcept;
void wake_all_shared(const std::atomic<std::uint32_t>& word) noexcept;

// CPU hint for a spin loop.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace convoy::os
