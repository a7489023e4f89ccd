// Threads that are already spinning when the work arrives.

#pragma once

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

  void wake();  // returns when every thread spins
  void rest();

  // Calls `share` on every thread and the caller's, and returns when all have.
  void together(const std::function<void()>& share);

 private:
  enum class state { resting, awake, leaving };

  void live();
  void spin();

  std::atomic<state> state_ = state::resting;
  std::atomic<unsigned> spinning_ = 0;
  std::atomic<unsigned> finished_ = 0;
  std::atomic<unsigned> turn_ = 0;  // released by together(), acquired by spin()
  const std::function<void()>* share_ = nullptr;
  std::vector<std::thread> threads_;
};

}  // namespace convoy::bench
