// The process and its threads.
#pragma once

#include <atomic>

namespace convoy::os {

// Notices forks from now on. In a child, forked() is true for ever.
void watch_forks() noexcept;
extern std::atomic<bool> in_forked_child;
[[nodiscard]] inline bool forked() noexcept {
  return in_forked_child.load(std::memory_order_relaxed);
}

// Processors this process may run on.
int processors() noexcept;

// Lets another thread have this processor.
void yield() noexcept;

void name_thread(const char* name) noexcept;

}  // namespace convoy::os
