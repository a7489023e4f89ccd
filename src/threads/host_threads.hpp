// Threads for foreign code, which may block as long as it likes. There are as many as functions
// have ever been under way at once, up to a thousand, so no function waits for another stream's.
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

// Starts a thread, kept in `kept` when it is to be joined.
template <class Body>
void start_thread(std::vector<std::thread>& kept, thread_end end, Body body) {
  std::thread made(std::move(body));
  if (end == thread_end::joined) {
    kept.push_back(std::move(made));
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
  std::mutex mutex_;  // guards all below; a condition variable wants the standard one
  std::condition_variable function_ready_;
  std::deque<std::function<void()>> functions_;
  std::size_t idle_ = 0;
  std::size_t started_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace convoy::threads
