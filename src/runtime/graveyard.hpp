// Freed memory that work in flight may still touch.
#pragma once

#include <deque>
#include <vector>

#include "base/mutex.hpp"
#include "memory/address_space.hpp"
#include "os/futex.hpp"
#include "stream/device_queues.hpp"

namespace convoy {

class graveyard {
 public:
  explicit graveyard(memory::address_space& space) : space_(space) {}

  // Memory for reuse once all of `users` have landed; at once when there are none.
  void bury(const memory::retired& gone, std::vector<point> users);

  // Gives back what no work can touch any more. True when there was any.
  bool sweep();

  // Waits, for a while, until sweep() can give something back. False when nothing is buried.
  bool wait();

 private:
  struct grave {
    memory::retired what;
    std::vector<point> users;
  };

  memory::address_space& space_;
  mutex mutex_;
  std::deque<grave> graves_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
