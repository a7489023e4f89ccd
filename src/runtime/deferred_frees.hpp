// Freed memory that pending steps may still access.
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

  // True while another process uses the memory; polled until false. Empty for memory that was not
  // exported.
  using used_by_others = std::function<bool()>;

  // Reclaims the memory once all of `users` have landed and no other process uses it; immediately
  // when there are none.
  void defer(const memory::retired& freed, std::vector<stream_position> users,
             used_by_others others = {});

  // Reclaims memory that is no longer in use. True when there was any.
  bool sweep();

  // Waits up to two seconds for pending steps, then sweeps. False when nothing was reclaimed.
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
