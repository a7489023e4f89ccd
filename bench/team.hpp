// Threads that are already spinning when the work arrives, each on a processor of its own.

#pragma once

#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace convoy::bench {

class team {
 public:
  explicit team(unsigned threads);
  ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  // Returns when every thread spins. Until rest() the caller stays on the processor it is on.
  void wake();
  void rest();

  // Calls `share` on every thread and the caller's, and returns when all have.
  void together(const std::function<void()>& share);

 private:
  enum class state { resting, awake, leaving };

  void spread();
  void live();
  void spin();

  std::atomic<state> state_ = state::resting;
  std::atomic<unsigned> spinning_ = 0;
  std::atomic<unsigned> finished_ = 0;
  std::atomic<unsigned> turn_ = 0;  // released by together(), acquired by spin()
  const std::function<void()>* share_ = nullptr;
  std::vector<std::thread> threads_;
  cpu_set_t callers_own_;
};

}  // namespace convoy::bench
