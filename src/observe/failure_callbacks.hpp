// Functions that want to hear of steps that fail.
//
// They are told outside of every lock, so they may come and go while others are told.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "seam/observer.hpp"

namespace convoy {

class failure_listeners final : public observer {
 public:
  using listener = std::function<void(const step_place& step, const status& why)>;

  // Answers the number to remove it by, which is never 0.
  std::uint64_t add(listener wanted);

  // Waits until no other thread tells it anything, and then nobody does.
  void remove(std::uint64_t number);

  void submitted(const step_place&) override {}
  void started(const step_place&) override {}
  void landed(const step_place& step, const status& outcome) override;

 private:
  struct member {
    std::uint64_t number = 0;
    listener told;
    std::atomic<std::uint32_t> calls = 0;  // under way; slept on by remove()
  };
  class telling;

  std::shared_ptr<member> next_after(std::uint64_t number);
  std::shared_ptr<member> take(std::uint64_t number);

  mutex mutex_;
  std::vector<std::shared_ptr<member>> members_ CONVOY_GUARDED_BY(mutex_);  // by rising number
  std::uint64_t added_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy
