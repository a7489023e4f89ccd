// Freed memory that work in flight may still touch.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "base/mutex.hpp"
#include "memory/address_space.hpp"
#include "os/futex.hpp"
#include "stream/device_queues.hpp"

namespace convoy {

class deferred_frees {
 public:
  explicit deferred_frees(memory::address_space& space) : space_(space) {}

  // Asked again and again until it answers false; empty for memory only this process knows.
  using used_by_others = std::function<bool()>;

  // Memory for reuse once all of `users` have landed and nobody else uses it; at once when that is
  // so now.
  void defer(const memory::retired& gone, std::vector<stream_position> users,
             used_by_others others = {});

  // Gives back what no work can touch any more. True when there was any.
  bool sweep();

  // Waits, for a while, until sweep() can give something back. False when nothing is buried.
  bool wait();

 private:
  struct pending_free {
    memory::retired memory;
    std::vector<stream_position> users;
    used_by_others others;

    [[nodiscard]] bool users_landed() const;
    [[nodiscard]] bool in_use() const { return !users_landed() || (others && others()); }
  };

  memory::address_space& space_;
  mutex mutex_;
  std::deque<pending_free> deferred_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
