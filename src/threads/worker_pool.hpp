// Worker threads: run the steps of streams that no thread waits for, and help with large jobs.
//
// A wake-up costs more than most small batches, so workers leave small work alone for a grace
// period: usually its submitter waits next and runs it. An idle worker spins, then polls in timed
// sleeps (naps), then sleeps until it is woken. Only a wake-up costs the submitter a system call.
//
// Workers that outnumber the CPUs stay asleep: one CPU is left to the thread that submits or waits,
// at most one worker is awake for each of the others.
//
// When the system has no thread for a worker, threads that wait or query run the posted work, and
// so do the threads for host functions unless all of them block.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "os/futex.hpp"
#include "os/process.hpp"
#include "seam/executor.hpp"
#include "seam/observer.hpp"
#include "threads/host_threads.hpp"
#include "threads/parallel_jobs.hpp"
#include "threads/sleeping_threads.hpp"
#include "threads/spin_policy.hpp"

namespace convoy::threads {

struct pool_options {
  int cpus = os::cpu_count();
  const observer_slot* observers = nullptr;
  thread_starter start = start_std_thread;
};

class worker_pool final : public executor {
 public:
  // `end` is `abandoned` for a pool that lives until the process ends. With `joined` the destructor
  // waits for the steps that are running; it does not run the ones behind them.
  worker_pool(int workers, thread_end end, const pool_options& options = {});
  ~worker_pool() override;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  void post(std::shared_ptr<runnable> ready, std::size_t bytes) override;
  void more_work(std::size_t bytes) override;
  bool call(std::function<void()> function) override { return host_.call(std::move(function)); }
  bool assist() override;
  [[nodiscard]] bool needs_waiters() const noexcept override { return !has_workers_; }

  // Runs the work that is posted by now. For threads that do not wait, while needs_waiters().
  void run_all_posted();

  // Runs the whole job with the help of idle threads. Wakes workers when `bytes` is large.
  void run_job(job& work, std::size_t bytes);

  [[nodiscard]] int awake_workers() const noexcept { return sleeping_.awake(); }

 private:
  struct ready_item {
    std::shared_ptr<runnable> target;
    bool urgent = false;
    int priority = 0;
    std::uint64_t order = 0;
  };

  enum class load : std::uint8_t { none, small, large };

  void worker_loop(std::size_t number);
  load work_once();
  ready_item take_ready();
  void add_ready(std::shared_ptr<runnable> ready, bool urgent);
  static void run_posted(runnable& target);
  bool run_first_posted();
  bool help_with_jobs();
  void run_on_host_thread();
  bool submitter_absent(const runnable& target);
  bool spin(spin_policy::duration spin_time);
  void nap_or_sleep(std::size_t number);
  void sleep(std::size_t number, os::deadline until);
  void mark_urgent(std::size_t bytes);

  parallel_jobs jobs_;
  const observer_slot* const observers_;

  mutex mutex_;
  std::vector<ready_item> ready_ CONVOY_GUARDED_BY(mutex_);
  std::uint64_t post_count_ CONVOY_GUARDED_BY(mutex_) = 0;

  std::atomic<int> ready_count_ = 0;             // entries in ready_
  std::atomic<int> watching_workers_ = 0;        // workers that poll ready_count_ and jobs_
  std::atomic<std::uint32_t> urgent_posts_ = 0;  // posts that end the grace period
  std::atomic<bool> closing_ = false;
  std::atomic<bool> on_host_thread_ = false;  // a host thread is going to run the posted work
  bool has_workers_ = false;                  // set before the pool is used
  const int max_helpers_;  // workers that may be awake beside the thread that runs a job
  const int max_awake_;    // at least one, which runs the work that no thread waits for
  sleeping_threads sleeping_;
  std::vector<std::thread> threads_;

  // Last member, so that it is destroyed first: a running function may still post. Its first thread
  // starts before any worker: waiters can do the work of a worker, but not run a host function.
  host_threads host_;
};

}  // namespace convoy::threads
