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

using plain_function = void (*)(void*);

struct report {
  plain_function function = nullptr;
  void* argument = nullptr;
  std::promise<void> done = {};
};

class report_counter {
 public:
  // Leaves a report; the future is ready when it was run, or never will be.
  std::future<void> leave(plain_function function, void* argument);

  // The next report; none within the time. A negative time is for ever.
  std::optional<report> take(std::chrono::milliseconds patience);

  void close();

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<report> left_;
  bool closed_ = false;
};

class report_desk {
 public:
  static constexpr std::size_t most_threads = 1024;

  // False when too many threads have a counter already.
  bool subscribe(std::uint64_t thread);
  void unsubscribe(std::uint64_t thread);

  // Null unless the thread is subscribed to something.
  [[nodiscard]] std::shared_ptr<report_counter> counter_of(std::uint64_t thread);

 private:
  struct place {
    std::shared_ptr<report_counter> counter = std::make_shared<report_counter>();
    int streams = 0;
  };

  std::mutex mutex_;
  std::map<std::uint64_t, place> places_;
};

// For aclrtSubscribeReport and for aclrtSubscribeHostFunc, which do not mix.
report_desk& reports();
report_desk& host_functions();

}  // namespace convoy::ascendcl
