#include "team.hpp"

#include <hwy/cache_control.h>

namespace convoy::bench {

team::team(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { live(); });
}

team::~team() {
  state_ = state::leaving;
  state_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void team::wake() {
  state_ = state::awake;
  state_.notify_all();
  while (spinning_ != threads_.size()) hwy::Pause();
}

void team::rest() {
  state_ = state::resting;
  while (spinning_ != 0) hwy::Pause();
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
