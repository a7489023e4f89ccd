// Detects a process that was forked after its parent created a context. The child has none of the
// engine's threads, and mutexes may be locked by threads that exist in the parent only.
#pragma once

#include <pthread.h>

#include <atomic>

namespace convoy::ascendcl {

inline std::atomic<bool> in_forked_child = false;

inline bool forked() noexcept { return in_forked_child.load(std::memory_order_relaxed); }

// Makes forked() true in children that this process forks from now on.
inline void detect_forks() {
  static const int registered = pthread_atfork(
      nullptr, nullptr, [] { in_forked_child.store(true, std::memory_order_relaxed); });
  static_cast<void>(registered);
}

}  // namespace convoy::ascendcl
