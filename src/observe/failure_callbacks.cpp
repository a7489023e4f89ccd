#include "observe/failure_callbacks.hpp"

#include <algorithm>
#include <utility>

#include "os/futex.hpp"

namespace convoy {

// A call of a listener that was counted in; knows the calls it was made from within.
class failure_listeners::telling {
 public:
  explicit telling(member& whom) : whom_(whom), outer_(std::exchange(innermost, this)) {}
  telling(const telling&) = delete;
  telling& operator=(const telling&) = delete;
  ~telling() {
    innermost = outer_;
    whom_.calls.fetch_sub(1, std::memory_order_release);  // read by remove()
    os::wake_all(whom_.calls);
  }

  // How many calls of the member this thread is in.
  static std::uint32_t depth_in(const member& whom) {
    std::uint32_t depth = 0;
    for (const telling* each = innermost; each != nullptr; each = each->outer_) {
      if (&each->whom_ == &whom) ++depth;
    }
    return depth;
  }

 private:
  static thread_local constinit const telling* innermost;

  member& whom_;
  const telling* const outer_;
};

constinit thread_local const failure_listeners::telling* failure_listeners::telling::innermost =
    nullptr;

std::uint64_t failure_listeners::add(listener wanted) {
  auto made = std::make_shared<member>();
  made->told = std::move(wanted);
  const lock held(mutex_);
  made->number = ++added_;
  members_.push_back(std::move(made));
  return added_;
}

void failure_listeners::remove(std::uint64_t number) {
  const auto gone = take(number);
  if (gone == nullptr) return;
  const std::uint32_t own = telling::depth_in(*gone);
  std::uint32_t calls = 0;
  while ((calls = gone->calls.load(std::memory_order_acquire)) > own) {  // left by telling
    os::sleep_while(gone->calls, calls, {});
  }
}

std::shared_ptr<failure_listeners::member> failure_listeners::take(std::uint64_t number) {
  const lock held(mutex_);
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const auto& each) { return each->number == number; });
  if (at == members_.end()) return nullptr;
  auto taken = std::move(*at);
  members_.erase(at);
  return taken;
}

// Counted in before the lock is left, so that remove() knows of the call that follows.
std::shared_ptr<failure_listeners::member> failure_listeners::next_after(std::uint64_t number) {
  const lock held(mutex_);
  const auto at = std::find_if(members_.begin(), members_.end(),
                               [&](const auto& each) { return each->number > number; });
  if (at == members_.end()) return nullptr;
  (*at)->calls.fetch_add(1, std::memory_order_relaxed);  // ordered by the lock
  return *at;
}

void failure_listeners::landed(const step_place& step, const status& outcome) {
  auto next = next_after(0);
  while (next != nullptr) {
    {
      const telling now(*next);
      try {
        next->told(step, outcome);
      } catch (...) {
        // The stream goes on whatever becomes of who listens.
      }
    }
    next = next_after(next->number);
  }
}

}  // namespace convoy
