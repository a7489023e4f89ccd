#include "shared/thread_team.hpp"

#include <pthread.h>

#include <system_error>

#include "os/futex.hpp"
#include "os/process.hpp"

namespace convoy::tools {
namespace {

void pin(pthread_t thread, int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  ::pthread_setaffinity_np(thread, sizeof one, &one);
}

// Spins, and yields after a while: on a busy machine the condition may need this CPU.
template <class Condition>
void spin_until(const Condition& holds) {
  for (int spins = 0; !holds(); ++spins) {
    if (spins < 1000) {
      os::relax();
    } else {
      os::yield();
    }
  }
}

}  // namespace

// Has fewer threads when the system has no more.
thread_team::thread_team(int threads) {
  try {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { thread_loop(); });
  } catch (const std::system_error&) {
    // wake() and run() count the threads there are.
  }
}

thread_team::~thread_team() {
  state_ = state::stopping;
  state_.notify_all();
  for (std::thread& each : threads_) each.join();
}

// The scheduler may wake a thread on the CPU of its spinning caller; the two would then alternate.
void thread_team::pin_to_cpus() {
  ::pthread_getaffinity_np(::pthread_self(), sizeof callers_affinity_, &callers_affinity_);
  int cpu = ::sched_getcpu();
  pin(::pthread_self(), cpu);
  for (std::thread& each : threads_) {
    do {
      cpu = (cpu + 1) % CPU_SETSIZE;
    } while (!CPU_ISSET(cpu, &callers_affinity_));
    pin(each.native_handle(), cpu);
  }
}

void thread_team::wake() {
  pin_to_cpus();
  state_ = state::awake;
  state_.notify_all();
  spin_until([&] { return spinning_ == threads_.size(); });
}

void thread_team::park() {
  state_ = state::parked;
  spin_until([&] { return spinning_ == 0; });
  ::pthread_setaffinity_np(::pthread_self(), sizeof callers_affinity_, &callers_affinity_);
}

void thread_team::run(const std::function<void()>& work) {
  work_ = &work;
  finished_.store(0, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  work();
  spin_until([&] { return finished_.load(std::memory_order_acquire) == threads_.size(); });
}

void thread_team::thread_loop() {
  while (state_ != state::stopping) {
    if (state_ == state::awake) run_while_awake();
    state_.wait(state::parked);
  }
}

void thread_team::run_while_awake() {
  unsigned seen = round_;
  ++spinning_;
  while (true) {
    spin_until(
        [&] { return round_.load(std::memory_order_acquire) != seen || state_ != state::awake; });
    if (round_.load(std::memory_order_acquire) == seen) break;
    ++seen;
    (*work_)();
    finished_.fetch_add(1, std::memory_order_release);
  }
  --spinning_;
}

}  // namespace convoy::tools
