#include "threads/host_threads.hpp"

#include <utility>

#include "os/forced_unwind.hpp"
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
  while (true) {
    std::thread last;
    {
      const std::lock_guard held(mutex_);
      if (threads_.empty()) return;
      last = std::move(threads_.back());
      threads_.pop_back();
    }
    last.join();  // it may have added the thread that replaces it
  }
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

void host_threads::replace_thread() {
  const std::lock_guard held(mutex_);
  --started_;
  if (functions_.size() > idle_ || started_ == 0) add_thread();
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
    try {
      function();
    } catch (const os::forced_unwind&) {
      replace_thread();
      throw;
    }
    held.lock();
    ++idle_;
  }
}

}  // namespace convoy::threads
