// Notices that this process was forked from one that had a context. The child has none of the
// engine's threads, and perhaps locks that a thread of its parent held.
#pragma once

#include <pthread.h>

#include <atomic>

namespace convoy::ascendcl {

inline std::atomic<bool> in_forked_child = false;

inline bool forked() noexcept { return in_forked_child.load(std::memory_order_relaxed); }

// From now on children of this process are told by forked().
inline void detect_forks() {
  static const int registered = pthread_atfork(
      nullptr, nullptr, [] { in_forked_child.store(true, std::memory_order_relaxed); });
  static_cast<void>(registered);
}

}  // namespace convoy::ascendcl
