// Callbacks that streams queue for threads of the program to run.
//
// A thread has one queue for all the streams it is subscribed to. When its last subscription ends,
// the queue is closed: pending callbacks are dropped, and streams that wait for them continue.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace convoy::ascendcl {

using callback_function = void (*)(void*);

struct queued_callback {
  callback_function function = nullptr;
  void* argument = nullptr;
  std::promise<void> done = {};
};

class callback_queue {
 public:
  // The future becomes ready when the callback has run or was dropped.
  std::future<void> push(callback_function function, void* argument);

  // The next callback, or none after the timeout. A negative timeout waits without limit.
  std::optional<queued_callback> pop(std::chrono::milliseconds timeout);

  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<queued_callback> pending_;
  bool closed_ = false;
};

class callback_queues {
 public:
  static constexpr std::size_t max_threads = 1024;

  // False when max_threads other threads are subscribed.
  bool subscribe(std::uint64_t thread);
  void unsubscribe(std::uint64_t thread);

  // Null for a thread without subscription.
  [[nodiscard]] std::shared_ptr<callback_queue> queue_of(std::uint64_t thread);

 private:
  struct subscriber {
    std::shared_ptr<callback_queue> queue = std::make_shared<callback_queue>();
    int streams = 0;
  };

  std::mutex mutex_;
  std::map<std::uint64_t, subscriber> subscribers_;
};

// The queues of aclrtSubscribeReport and of aclrtSubscribeHostFunc.
callback_queues& report_queues();
callback_queues& host_function_queues();

}  // namespace convoy::ascendcl
