// Threads for host functions, which may block. The pool grows to the largest number of functions
// that were pending at once, up to 1024, so that no function waits for a function of another
// stream.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace convoy::threads {

enum class thread_end { joined, abandoned };

// Starts a thread; adds it to `joined`, or detaches it when it is to be abandoned.
template <class Body>
void start_thread(std::vector<std::thread>& joined, thread_end end, Body body) {
  std::thread made(std::move(body));
  if (end == thread_end::joined) {
    joined.push_back(std::move(made));
  } else {
    made.detach();
  }
}

class host_threads {
 public:
  explicit host_threads(thread_end end) : end_(end) {}
  ~host_threads();
  host_threads(const host_threads&) = delete;
  host_threads& operator=(const host_threads&) = delete;

  void call(std::function<void()> function);

 private:
  void thread_loop();

  const thread_end end_;
  std::mutex mutex_;  // guards all below; std::condition_variable needs a std::mutex
  std::condition_variable function_ready_;
  std::deque<std::function<void()>> functions_;
  std::size_t idle_ = 0;
  std::size_t started_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace convoy::threads
