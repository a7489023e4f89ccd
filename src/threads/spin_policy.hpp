// How long a worker that has run out of work goes on watching for more before it lies down.
//
// Waking it costs both sides tens of microseconds, so a program that copies, computes for a while
// and copies again is better served by a worker that is still up. What came at short intervals is
// expected to go on; one disappointment ends that.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace convoy::threads {

class spin_policy {
 public:
  using duration = std::chrono::nanoseconds;

  // Always worth it after work.
  static constexpr duration as_observer = std::chrono::microseconds(200);

  // Pauses beyond this are not watched through.
  static constexpr duration longest_pause = std::chrono::milliseconds(1);

  [[nodiscard]] duration spin_time() const noexcept {
    const duration longest = *std::max_element(pauses_.begin(), pauses_.end());
    return std::max(as_observer, longest + longest / 2);
  }

  // Work came after a pause. A batch may bring several pieces of work, so the last few pauses
  // count.
  void work_after(duration pause) noexcept {
    pauses_[next_] = pause <= longest_pause ? pause : duration::zero();
    next_ = (next_ + 1) % pauses_.size();
  }

  // None came in time.
  void missed() noexcept { pauses_ = {}; }

 private:
  std::array<duration, 4> pauses_ = {};
  std::size_t next_ = 0;
};

}  // namespace convoy::threads
