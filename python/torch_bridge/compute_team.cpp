#include "compute_team.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace convoy::torch_bridge {
namespace {

constexpr std::size_t team_bytes = 256 * 1024;

class team_thread {
 public:
  // Never joined: streams may still compute while the process exits.
  team_thread() {
    std::thread([this] { loop(); }).detach();
  }

  void run(const std::function<void()>& function) {
    std::packaged_task<void()> task(function);
    auto done = task.get_future();
    {
      const std::lock_guard held(mutex_);
      tasks_.push_back(std::move(task));
    }
    ready_.notify_one();
    done.get();
  }

 private:
  [[noreturn]] void loop() {
    for (;;) {
      std::unique_lock held(mutex_);
      ready_.wait(held, [&] { return !tasks_.empty(); });
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      held.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::packaged_task<void()>> tasks_;
};

// The number of threads is a property of each thread in OpenMP.
void use_one_thread() {
  thread_local const bool done = [] {
    at::init_num_threads();
    using setter = void (*)(int);
    if (auto* const set = reinterpret_cast<setter>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
      set(1);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

void run_in_team(std::size_t bytes, const std::function<void()>& function) {
  static const bool has_team = std::thread::hardware_concurrency() > 1;
  if (bytes < team_bytes || !has_team) {
    use_one_thread();
    function();
    return;
  }
  static auto* const team = new team_thread;
  team->run(function);
}

}  // namespace convoy::torch_bridge
