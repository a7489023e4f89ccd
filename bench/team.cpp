#include "team.hpp"

#include <hwy/cache_control.h>
#include <pthread.h>

namespace convoy::bench {
namespace {

void stay_on(pthread_t thread, int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  ::pthread_setaffinity_np(thread, sizeof one, &one);
}

}  // namespace

team::team(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { live(); });
}

team::~team() {
  state_ = state::leaving;
  state_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// A thread that the scheduler wakes beside its spinning caller would only take turns with it.
void team::spread() {
  ::pthread_getaffinity_np(::pthread_self(), sizeof callers_own_, &callers_own_);
  const int here = ::sched_getcpu();
  stay_on(::pthread_self(), here);
  int processor = here;
  for (std::thread& thread : threads_) {
    do {
      processor = (processor + 1) % CPU_SETSIZE;
    } while (!CPU_ISSET(processor, &callers_own_));
    stay_on(thread.native_handle(), processor);
  }
}

void team::wake() {
  spread();
  state_ = state::awake;
  state_.notify_all();
  while (spinning_ != threads_.size()) hwy::Pause();
}

void team::rest() {
  state_ = state::resting;
  while (spinning_ != 0) hwy::Pause();
  ::pthread_setaffinity_np(::pthread_self(), sizeof callers_own_, &callers_own_);
}

void team::together(const std::function<void()>& share) {
  share_ = &share;
  finished_.store(0, std::memory_order_relaxed);
  turn_.fetch_add(1, std::memory_order_release);
  share();
  while (finished_.load(std::memory_order_acquire) != threads_.size()) hwy::Pause();
}

void team::live() {
  while (state_ != state::leaving) {
    if (state_ == state::awake) spin();
    state_.wait(state::resting);
  }
}

void team::spin() {
  unsigned seen = turn_;
  ++spinning_;
  while (state_ == state::awake) {
    if (turn_.load(std::memory_order_acquire) != seen) {
      ++seen;
      (*share_)();
      finished_.fetch_add(1, std::memory_order_release);
    }
    hwy::Pause();
  }
  --spinning_;
}

}  // namespace convoy::bench
