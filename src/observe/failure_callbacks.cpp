#include "observe/failure_callbacks.hpp"

#include <algorithm>
#include <utility>

#include "os/futex.hpp"

namespace convoy {

// A running call of a callback, already counted; linked to the calls that enclose it on this
// thread.
class failure_callbacks::active_call {
 public:
  explicit active_call(member& target) : target_(target), outer_(std::exchange(innermost, this)) {}
  active_call(const active_call&) = delete;
  active_call& operator=(const active_call&) = delete;
  ~active_call() {
    innermost = outer_;
    target_.calls.fetch_sub(1, std::memory_order_release);  // read by remove()
    os::wake_all(target_.calls);
  }

  // The number of calls of this callback on the stack of this thread.
  static std::uint32_t depth_in(const member& target) {
    std::uint32_t depth = 0;
    for (const active_call* each = innermost; each != nullptr; each = each->outer_) {
      if (&each->target_ == &target) ++depth;
    }
    return depth;
  }

 private:
  static thread_local constinit const active_call* innermost;

  member& target_;
  const active_call* const outer_;
};

constinit thread_local const failure_callbacks::active_call*
    failure_callbacks::active_call::innermost = nullptr;

std::uint64_t failure_callbacks::add(callback wanted) {
  auto made = std::make_shared<member>();
  made->function = std::move(wanted);
  const lock held(mutex_);
  made->number = ++added_;
  members_.push_back(std::move(made));
  return added_;
}

void failure_callbacks::remove(std::uint64_t number) {
  const auto removed = take(number);
  if (removed == nullptr) return;
  const std::uint32_t own = active_call::depth_in(*removed);
  std::uint32_t calls = 0;
  while ((calls = removed->calls.load(std::memory_order_acquire)) >
         own) {  // decremented by ~active_call
    os::sleep_while(removed->calls, calls, {});
  }
}

std::shared_ptr<failure_callbacks::member> failure_callbacks::take(std::uint64_t number) {
  const lock held(mutex_);
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const auto& each) { return each->number == number; });
  if (at == members_.end()) return nullptr;
  auto taken = std::move(*at);
  members_.erase(at);
  return taken;
}

// Counts the call before the lock is released, so that remove() waits for it.
std::shared_ptr<failure_callbacks::member> failure_callbacks::next_after(std::uint64_t number) {
  const lock held(mutex_);
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const auto& each) { return each->number > number; });
  if (at == members_.end()) return nullptr;
  (*at)->calls.fetch_add(1, std::memory_order_relaxed);  // ordered by the lock
  return *at;
}

void failure_callbacks::landed(const observed_step& step, const status& outcome) {
  auto next = next_after(0);
  while (next != nullptr) {
    {
      const active_call now(*next);
      try {
        next->function(step, outcome);
      } catch (...) {
        // A throwing callback must not stop the stream.
      }
    }
    next = next_after(next->number);
  }
}

}  // namespace convoy
