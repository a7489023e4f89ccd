// Callbacks for steps that fail.
//
// They are called without any lock held, so callbacks can be added and removed during calls.
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

  // Returns the number for remove(), never 0.
  std::uint64_t add(callback wanted);

  // Returns when no other thread is in the callback; it is not called again.
  void remove(std::uint64_t number);

  void submitted(const observed_step&) override {}
  void started(const observed_step&) override {}
  void landed(const observed_step& step, const status& outcome) override;

 private:
  struct member {
    std::uint64_t number = 0;
    callback function;
    std::atomic<std::uint32_t> calls = 0;  // running now; remove() sleeps on it
  };
  class active_call;

  std::shared_ptr<member> next_after(std::uint64_t number);
  std::shared_ptr<member> take(std::uint64_t number);

  mutex mutex_;
  std::vector<std::shared_ptr<member>> members_ CONVOY_GUARDED_BY(mutex_);  // by rising number
  std::uint64_t added_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy
