#include "os/process.hpp"

#include <pthread.h>
#include <sched.h>

namespace convoy::os {

std::atomic<bool> in_forked_child{false};

void watch_forks() noexcept {
  static const bool once = [] {
    pthread_atfork(nullptr, nullptr,
                   [] { in_forked_child.store(true, std::memory_order_relaxed); });
    return true;
  }();
  static_cast<void>(once);
}

int processors() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return CPU_COUNT(&allowed);
}

void yield() noexcept { sched_yield(); }

void name_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

}  // namespace convoy::os
