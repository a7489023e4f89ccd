#include "observe/failure_callbacks.hpp"

#include <algorithm>
#include <utility>

#include "os/futex.hpp"

namespace convoy {

// A call of a listener that was counted in; knows the calls it was made from within.
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

  // How many calls of the member this thread is in.
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
  while ((calls = removed->calls.load(std::memory_order_acquire)) > own) {  // left by telling
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

// Counted in before the lock is left, so that remove() knows of the call that follows.
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
        // The stream goes on whatever becomes of who listens.
      }
    }
    next = next_after(next->number);
  }
}

}  // namespace convoy
