// Starts threads up to a limit; then, like a system that has none left, throws.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/start_thread.hpp"

namespace convoy::test {

class limited_threads {
 public:
  explicit limited_threads(int limit) : left_(std::make_shared<std::atomic<int>>(limit)) {}

  void allow(int more) { *left_ += more; }
  [[nodiscard]] int left() const { return *left_; }

  [[nodiscard]] threads::thread_starter starter() const {
    return [left = left_](std::function<void()> body) {
      if (left->fetch_sub(1) <= 0) {
        ++*left;
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      }
      return std::thread(std::move(body));
    };
  }

 private:
  std::shared_ptr<std::atomic<int>> left_;
};

}  // namespace convoy::test
