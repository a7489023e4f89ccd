// The sleeping threads of a pool, and the limit up to which they are woken.
//
// Threads that are awake without a CPU of their own take CPUs from the threads that have work. A
// waker therefore says how many threads may be awake at once. The thread that fell asleep last is
// woken first, because its caches are warm.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/mutex.hpp"
#include "os/futex.hpp"
#include "threads/wake_affinity.hpp"

namespace convoy::threads {

class sleeping_threads {
 public:
  // Threads are numbered from 0 to `threads` - 1. Each is counted as awake once it is started.
  explicit sleeping_threads(std::size_t threads) : threads_(threads) {}

  void count_started() noexcept { started_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] int awake() const noexcept {
    return started_.load(std::memory_order_relaxed) - asleep_.load(std::memory_order_seq_cst);
  }

  // Sleeps until the thread is woken or the deadline; may return sooner. Calls idle() once the
  // thread can be woken, and does not sleep when it is false.
  template <class Idle>
  void sleep_while_idle(std::size_t number, os::deadline until, const Idle& idle) {
    thread& self = threads_[number];
    begin_sleep(self);
    if (idle()) os::sleep_while(self.woken, 0, until);
    end_sleep(self);
  }

  // Wake up to `count` threads, while fewer than `max_awake` are awake. wake_elsewhere() bars the
  // first ones from the CPU of the caller, which stays busy.
  void wake(int count, int max_awake);
  void wake_elsewhere(int count, int max_awake);
  void wake_all();

 private:
  struct thread {
    std::atomic<std::uint32_t> woken = 0;
    wake_affinity affinity;
  };

  void begin_sleep(thread& self);
  void end_sleep(thread& self);
  thread* take_asleep(int max_awake);
  static void wake(thread& taken);

  std::vector<thread> threads_;
  std::atomic<int> started_ = 0;
  std::atomic<int> asleep_ = 0;  // the size of asleep_threads_

  mutex mutex_;
  std::vector<thread*> asleep_threads_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy::threads
