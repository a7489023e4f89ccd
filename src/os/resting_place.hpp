// Where a thread sleeps, for whoever wakes it.
//
// Schedulers like to run a woken thread where its waker runs. If the waker stays busy, the thread
// stands in line behind it for a millisecond or more, while other processors are idle. The waker
// can have it wake up elsewhere.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace convoy::os {

class resting_place {
 public:
  // The sleeper says that it goes to sleep. When it is up again it may run where it might before.
  void lie_down() noexcept;
  void get_up() noexcept;

  // By the waker, before it wakes: bars the sleeper from the waker's processor. True when that
  // could be done, which costs two calls of the system.
  bool make_way() noexcept;

 private:
  enum class reach : std::uint8_t { own, changing, less };

  [[nodiscard]] bool bar_from(int processor) noexcept;

  std::atomic<std::uint32_t> sleeper_ = 0;  // its thread number; 0 while it is up
  std::atomic<reach> reach_ = reach::own;
  cpu_set_t before_ = {};  // belongs to who changes reach_
};

}  // namespace convoy::os
