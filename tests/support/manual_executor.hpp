// An executor that runs nothing by itself: posted work waits until the test runs it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "seam/executor.hpp"

namespace convoy::test {

class manual_executor final : public executor {
 public:
  bool has_threads = true;  // false: call() runs nothing

  void post(std::shared_ptr<runnable> ready, std::size_t) override {
    const std::lock_guard held(mutex_);
    if (!ready->posted.exchange(true)) posts_.push_back(std::move(ready));
  }
  void more_work(std::size_t) override {}
  bool call(std::function<void()> function) override {
    const std::lock_guard held(mutex_);
    if (!has_threads) return false;
    calls_.push_back(std::move(function));
    return true;
  }
  bool assist() override { return false; }

  [[nodiscard]] std::size_t posts() const { return size_of(posts_); }
  [[nodiscard]] std::size_t calls() const { return size_of(calls_); }

  // Runs the oldest post, or the oldest call.
  void run_next() {
    const auto next = take(posts_);
    next->posted = false;
    next->run();
  }
  void call_next() { take(calls_)(); }

  void run_all() {
    while (posts() + calls() != 0) posts() != 0 ? run_next() : call_next();
  }

 private:
  template <class T>
  std::size_t size_of(const std::deque<T>& queue) const {
    const std::lock_guard held(mutex_);
    return queue.size();
  }
  template <class T>
  T take(std::deque<T>& queue) {
    const std::lock_guard held(mutex_);
    T first = std::move(queue.front());
    queue.pop_front();
    return first;
  }

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<runnable>> posts_;
  std::deque<std::function<void()>> calls_;
};

}  // namespace convoy::test
