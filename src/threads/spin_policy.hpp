// How long an idle worker spins before it sleeps.
//
// A wake-up costs waker and sleeper tens of microseconds, so for a program that alternates between
// copies and short computations a worker should still spin when the next copy arrives. The spin
// time follows the last pauses; one pause that exceeds it resets it to the minimum.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace convoy::threads {

class spin_policy {
 public:
  using duration = std::chrono::nanoseconds;

  // The minimum, spun after any work.
  static constexpr duration shortest_spin = std::chrono::microseconds(200);

  // Longer pauses are not spun through.
  static constexpr duration longest_pause = std::chrono::milliseconds(1);

  [[nodiscard]] duration spin_time() const noexcept {
    const duration longest = *std::max_element(pauses_.begin(), pauses_.end());
    return std::max(shortest_spin, longest + longest / 2);
  }

  // Work arrived after a pause. Uses the longest of the last few pauses, because a batch may
  // consist of several pieces of work.
  void work_after(duration pause) noexcept {
    pauses_[next_] = pause <= longest_pause ? pause : duration::zero();
    next_ = (next_ + 1) % pauses_.size();
  }

  // No work arrived within the spin time.
  void missed() noexcept { pauses_ = {}; }

 private:
  std::array<duration, 4> pauses_ = {};
  std::size_t next_ = 0;
};

}  // namespace convoy::threads
