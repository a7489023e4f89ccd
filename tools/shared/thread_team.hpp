// Threads that already spin when the work arrives, each on a CPU of its own, so that neither
// starting nor waking a thread counts towards the time of the work.
#pragma once

#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace convoy::tools {

class thread_team {
 public:
  // The caller is one of the threads.
  explicit thread_team(int threads);
  ~thread_team();
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  // Returns when every thread spins. The caller stays on its CPU until park(), which has the
  // threads sleep.
  void wake();
  void park();

  // Calls `work` on every thread of an awake team, and returns when all calls have returned.
  void run(const std::function<void()>& work);

 private:
  enum class state { parked, awake, stopping };

  void pin_to_cpus();
  void thread_loop();
  void run_while_awake();

  std::atomic<state> state_ = state::parked;
  std::atomic<unsigned> spinning_ = 0;
  std::atomic<unsigned> finished_ = 0;
  std::atomic<unsigned> round_ = 0;  // released by run(), acquired by run_while_awake()
  const std::function<void()>* work_ = nullptr;
  std::vector<std::thread> threads_;
  cpu_set_t callers_affinity_;
};

}  // namespace convoy::tools
