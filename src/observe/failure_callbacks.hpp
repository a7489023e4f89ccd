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

class failure_callbacks final : public observer {
 public:
  using callback = std::function<void(const observed_step& step, const status& error)>;

  // Answers the number to remove it by, which is never 0.
  std::uint64_t add(callback wanted);

  // Waits until no other thread tells it anything, and then nobody does.
  void remove(std::uint64_t number);

  void submitted(const observed_step&) override {}
  void started(const observed_step&) override {}
  void landed(const observed_step& step, const status& outcome) override;

 private:
  struct member {
    std::uint64_t number = 0;
    callback function;
    std::atomic<std::uint32_t> calls = 0;  // under way; slept on by remove()
  };
  class active_call;

  std::shared_ptr<member> next_after(std::uint64_t number);
  std::shared_ptr<member> take(std::uint64_t number);

  mutex mutex_;
  std::vector<std::shared_ptr<member>> members_ CONVOY_GUARDED_BY(mutex_);  // by rising number
  std::uint64_t added_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy
