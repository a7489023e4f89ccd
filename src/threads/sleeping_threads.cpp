#include "threads/sleeping_threads.hpp"

#include <algorithm>
#include <climits>

namespace convoy::threads {
namespace {

// Threads that are barred from the waker's CPU before the wake-up; each costs 1 to 2 us.
constexpr int max_barred = 3;

}  // namespace

void sleeping_threads::begin_sleep(thread& self) {
  self.woken.store(0, std::memory_order_relaxed);
  self.affinity.before_sleep();
  const lock held(mutex_);
  asleep_threads_.push_back(&self);
  // Sequentially consistent with take_asleep(): either idle() sees what the waker has published, or
  // the waker sees this thread.
  asleep_.fetch_add(1, std::memory_order_seq_cst);
}

// A thread that is not woken takes itself off the list.
void sleeping_threads::end_sleep(thread& self) {
  self.affinity.after_wake();
  const lock held(mutex_);
  if (std::erase(asleep_threads_, &self) != 0) asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

sleeping_threads::thread* sleeping_threads::take_asleep(int max_awake) {
  const auto none = [&] {
    return asleep_.load(std::memory_order_seq_cst) == 0 || awake() >= max_awake;
  };
  if (none()) return nullptr;
  const lock held(mutex_);
  if (none()) return nullptr;
  thread* const taken = asleep_threads_.back();
  asleep_threads_.pop_back();
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
  return taken;
}

void sleeping_threads::wake(thread& taken) {
  taken.woken.store(1, std::memory_order_release);
  os::wake_one(taken.woken);
}

void sleeping_threads::wake(int count, int max_awake) {
  for (; count > 0; --count) {
    thread* const taken = take_asleep(max_awake);
    if (taken == nullptr) return;
    wake(*taken);
  }
}

void sleeping_threads::wake_elsewhere(int count, int max_awake) {
  for (int barred = 0; count > 0; --count) {
    thread* const taken = take_asleep(max_awake);
    if (taken == nullptr) return;
    if (barred != max_barred && taken->affinity.avoid_caller_cpu()) ++barred;
    wake(*taken);
  }
}

void sleeping_threads::wake_all() { wake(INT_MAX, INT_MAX); }

}  // namespace convoy::threads
