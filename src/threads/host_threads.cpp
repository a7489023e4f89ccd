#include "threads/host_threads.hpp"

#include <utility>

#include "os/process.hpp"

namespace convoy::threads {
namespace {

constexpr std::size_t max_threads = 1024;

}  // namespace

host_threads::host_threads(thread_end end, thread_starter start)
    : end_(end), start_(std::move(start)) {
  const std::lock_guard held(mutex_);
  add_thread();
}

host_threads::~host_threads() {
  {
    const std::lock_guard held(mutex_);
    closing_ = true;
  }
  function_ready_.notify_all();
  for (std::thread& each : threads_) each.join();
}

bool host_threads::call(std::function<void()> function) {
  const std::lock_guard held(mutex_);
  if (functions_.size() >= idle_ && started_ < max_threads) add_thread();
  if (started_ == 0) return false;
  functions_.push_back(std::move(function));
  function_ready_.notify_one();
  return true;
}

void host_threads::add_thread() {
  if (!start_thread(start_, threads_, end_, [this] { thread_loop(); })) return;
  ++started_;
  ++idle_;
}

void host_threads::thread_loop() {
  os::name_thread("convoy-host");
  std::unique_lock held(mutex_);
  while (true) {
    function_ready_.wait(held, [this] { return closing_ || !functions_.empty(); });
    --idle_;
    if (functions_.empty()) return;
    const auto function = std::move(functions_.front());
    functions_.pop_front();
    held.unlock();
    function();
    held.lock();
    ++idle_;
  }
}

}  // namespace convoy::threads
