// The threads that copy when nobody waits, and help when somebody does.
//
// Waking a sleeping thread costs more than most small batches, so small work is left for a while:
// usually its submitter waits next and does it on the spot. A worker watches: it spins for a moment
// after its last work, then naps, then sleeps until it is rung. Only ringing costs the submitter.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "os/futex.hpp"
#include "seam/executor.hpp"
#include "seam/observer.hpp"
#include "threads/host_threads.hpp"
#include "threads/parallel_jobs.hpp"
#include "threads/spin_policy.hpp"
#include "threads/wake_affinity.hpp"

namespace convoy::threads {

class worker_pool final : public executor {
 public:
  // Threads of a pool that lives as long as the process are abandoned at its end, whatever they are
  // doing; otherwise the destructor lets them finish the steps under way and leaves the rest.
  worker_pool(int workers, thread_end end, const observer_slot* observers = nullptr);
  ~worker_pool() override;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  void post(std::shared_ptr<runnable> ready, std::size_t bytes) override;
  void more_work(std::size_t bytes) override;
  void call(std::function<void()> function) override { host_.call(std::move(function)); }
  bool assist() override;

  // Does the whole job, with whatever hands there are. `bytes` decides whether to ring for more.
  void run_job(job& work, std::size_t bytes);

 private:
  struct ready_item {
    std::shared_ptr<runnable> target;
    bool urgent = false;
    int priority = 0;
    std::uint64_t order = 0;
  };

  enum class load : std::uint8_t { none, small, large };

  void worker_loop(wake_affinity& affinity);
  load work_once();
  ready_item take_ready();
  void add_ready(std::shared_ptr<runnable> ready, bool urgent);
  static void run_posted(runnable& target);
  bool submitter_absent(const runnable& target);
  bool spin(spin_policy::duration spin_time);
  void nap_or_sleep(wake_affinity& affinity);
  void sleep(wake_affinity& affinity, os::deadline until);
  void mark_urgent();
  void wake();
  void wake_for_large_work();

  parallel_jobs jobs_;
  const observer_slot* const observers_;

  mutex mutex_;
  std::vector<ready_item> ready_ CONVOY_GUARDED_BY(mutex_);
  std::uint64_t post_count_ CONVOY_GUARDED_BY(mutex_) = 0;

  std::atomic<int> ready_count_ = 0;       // entries in ready_
  std::atomic<int> watching_workers_ = 0;  // workers that will notice a posting by themselves
  std::atomic<int> sleeping_workers_ = 0;  // workers that a ring would wake
  std::atomic<std::uint32_t> wake_epoch_ = 0;
  std::atomic<std::uint32_t> urgent_posts_ = 0;  // postings that are not to be left alone
  std::atomic<bool> closing_ = false;
  std::vector<wake_affinity> affinities_;  // one for each worker
  std::vector<std::thread> threads_;

  // Last, so that it ends first: a function under way may still post.
  host_threads host_;
};

}  // namespace convoy::threads
