// Threads for host functions, which may block. The pool grows to the largest number of functions
// that were pending at once, up to 1024, so that no function waits for that of another stream.
//
// The first thread starts with the pool, so that a function can still run when the system has no
// more threads later; it then waits for one of the threads there are. A thread that a function ends
// (pthread_exit) is replaced.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "threads/start_thread.hpp"

namespace convoy::threads {

class host_threads {
 public:
  explicit host_threads(thread_end end, thread_starter start = start_std_thread);
  ~host_threads();
  host_threads(const host_threads&) = delete;
  host_threads& operator=(const host_threads&) = delete;

  // False when there is no thread and none can be started; the function is then not called.
  bool call(std::function<void()> function);

 private:
  void add_thread();
  void replace_thread();
  void thread_loop();

  const thread_end end_;
  const thread_starter start_;
  std::mutex mutex_;  // guards all below; std::condition_variable needs a std::mutex
  std::condition_variable function_ready_;
  std::deque<std::function<void()>> functions_;
  std::size_t idle_ = 0;  // threads that wait for a function, or are about to
  std::size_t started_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace convoy::threads
