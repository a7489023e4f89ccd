#include "threads/host_threads.hpp"

#include <utility>

#include "os/process.hpp"

namespace convoy::threads {
namespace {

constexpr std::size_t max_threads = 1024;

}  // namespace

host_threads::~host_threads() {
  {
    const std::lock_guard held(mutex_);
    closing_ = true;
  }
  function_ready_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void host_threads::call(std::function<void()> function) {
  const std::lock_guard held(mutex_);
  functions_.push_back(std::move(function));
  if (functions_.size() > idle_ && started_ < max_threads) {
    ++started_;
    start_thread(threads_, end_, [this] { thread_loop(); });
  }
  function_ready_.notify_one();
}

void host_threads::thread_loop() {
  os::name_thread("convoy-host");
  std::unique_lock held(mutex_);
  while (true) {
    ++idle_;
    function_ready_.wait(held, [this] { return closing_ || !functions_.empty(); });
    --idle_;
    if (functions_.empty()) return;
    const auto function = std::move(functions_.front());
    functions_.pop_front();
    held.unlock();
    function();
    held.lock();
  }
}

}  // namespace convoy::threads
