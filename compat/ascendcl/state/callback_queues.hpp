// Where streams leave callbacks for threads of the program to run.
//
// A thread has one counter, for all the streams it has subscribed to. When its last subscription
// ends, the counter closes: what lies there is dropped, and nobody waits for it any more.
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
  // Leaves a report; the future is ready when it was run, or never will be.
  std::future<void> push(callback_function function, void* argument);

  // The next report; none within the time. A negative time is for ever.
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

  // False when too many threads have a counter already.
  bool subscribe(std::uint64_t thread);
  void unsubscribe(std::uint64_t thread);

  // Null unless the thread is subscribed to something.
  [[nodiscard]] std::shared_ptr<callback_queue> queue_of(std::uint64_t thread);

 private:
  struct subscriber {
    std::shared_ptr<callback_queue> queue = std::make_shared<callback_queue>();
    int streams = 0;
  };

  std::mutex mutex_;
  std::map<std::uint64_t, subscriber> subscribers_;
};

// For aclrtSubscribeReport and for aclrtSubscribeHostFunc, which do not mix.
callback_queues& report_queues();
callback_queues& host_function_queues();

}  // namespace convoy::ascendcl
