#include "threads/worker_pool.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

#include "os/fault_guard.hpp"
#include "os/process.hpp"

namespace convoy::threads {
namespace {

using namespace std::chrono_literals;

// A batch of this size takes longer than the wake-up of a worker.
constexpr std::size_t wake_threshold = std::size_t{256} << 10;

// About the smallest unit of a shared job. So many bytes occupy one more thread.
constexpr std::size_t bytes_per_thread = std::size_t{128} << 10;

constexpr auto grace_period = 20us;  // in which a submitter that waits runs its small work itself
constexpr auto first_nap = 100us;
constexpr auto longest_nap = 2ms;
constexpr auto nap_period = 100ms;  // after that, sleep until woken

}  // namespace

worker_pool::worker_pool(int workers, thread_end end, const pool_options& options)
    : observers_(options.observers),
      max_helpers_(options.cpus - 1),
      max_awake_(std::max(max_helpers_, 1)),
      sleeping_(static_cast<std::size_t>(workers)),
      host_(end, options.start) {
  for (std::size_t i = 0; i != static_cast<std::size_t>(workers); ++i) {
    if (!start_thread(options.start, threads_, end, [this, i] { worker_loop(i); })) break;
    sleeping_.count_started();
    has_workers_ = true;
  }
}

worker_pool::~worker_pool() {
  closing_.store(true, std::memory_order_seq_cst);
  sleeping_.wake_all();
  for (std::thread& each : threads_) each.join();
}

void worker_pool::post(std::shared_ptr<runnable> ready, std::size_t bytes) {
  const bool urgent = bytes >= wake_threshold;
  // Pairs with run_posted().
  if (!ready->posted.exchange(true, std::memory_order_acq_rel)) add_ready(std::move(ready), urgent);
  if (!has_workers_) {
    run_on_host_thread();
  } else if (urgent) {
    mark_urgent(bytes);
  } else if (watching_workers_.load(std::memory_order_seq_cst) == 0) {
    sleeping_.wake(1, max_awake_);
  }
}

void worker_pool::add_ready(std::shared_ptr<runnable> ready, bool urgent) {
  const lock held(mutex_);
  const int priority = ready->priority();
  ready_.push_back({std::move(ready), urgent, priority, ++post_count_});
  // Sequentially consistent with nap_or_sleep(): either the worker sees the entry, or the poster
  // sees that no worker is watching.
  ready_count_.fetch_add(1, std::memory_order_seq_cst);
}

void worker_pool::more_work(std::size_t bytes) {
  if (bytes >= wake_threshold) mark_urgent(bytes);
}

void worker_pool::mark_urgent(std::size_t bytes) {
  urgent_posts_.fetch_add(1, std::memory_order_relaxed);  // polled by submitter_absent()
  sleeping_.wake_elsewhere(
      static_cast<int>(std::min<std::size_t>(bytes / bytes_per_thread, INT_MAX)), max_awake_);
}

void worker_pool::run_job(job& work, std::size_t bytes) {
  const parallel_jobs::scoped_offer offer(jobs_, work);
  if (bytes >= wake_threshold) {
    sleeping_.wake_elsewhere(static_cast<int>(work.units()) - 1, max_helpers_);
  }
  work.work();
}

// One function at a time is enough: it runs all that is posted.
void worker_pool::run_on_host_thread() {
  if (on_host_thread_.exchange(true, std::memory_order_acq_rel)) return;  // pairs with the stores
  const bool called = host_.call([this] {
    on_host_thread_.store(false, std::memory_order_release);
    run_all_posted();
  });
  if (!called) on_host_thread_.store(false, std::memory_order_release);
}

void worker_pool::run_all_posted() {
  for (int left = ready_count_.load(std::memory_order_relaxed); left > 0; --left) {
    if (!run_first_posted()) return;
  }
}

bool worker_pool::run_first_posted() {
  const ready_item taken = take_ready();
  if (taken.target == nullptr) return false;
  run_posted(*taken.target);
  return true;
}

bool worker_pool::assist() { return (!has_workers_ && run_first_posted()) || help_with_jobs(); }

bool worker_pool::help_with_jobs() {
  observer* const current = observers_ == nullptr ? nullptr : observers_->load();
  if (current == nullptr || !jobs_.has_work()) return jobs_.help_offered();
  const auto start = os::clock::now();
  if (!jobs_.help_offered()) return false;
  current->helped(start, os::clock::now());
  return true;
}

void worker_pool::worker_loop(std::size_t number) {
  os::name_thread("convoy-worker");
  os::receive_faults();
  spin_policy policy;
  auto idle_since = os::clock::now();
  while (!closing_.load(std::memory_order_relaxed)) {
    const auto polled = os::clock::now();
    const load done = work_once();
    if (done == load::large) {
      policy.work_after(polled - idle_since);
      idle_since = os::clock::now();
    }
    if (done != load::none) continue;
    if (sleeping_.awake() > max_awake_) {  // a surplus worker would spin on the CPU of another
      sleep(number, {});
      continue;
    }
    watching_workers_.fetch_add(1, std::memory_order_seq_cst);
    if (!spin(policy.spin_time())) {
      policy.missed();
      nap_or_sleep(number);
    }
    watching_workers_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

worker_pool::load worker_pool::work_once() {
  if (help_with_jobs()) return load::large;
  ready_item taken = take_ready();
  if (taken.target == nullptr) return load::none;
  if (taken.urgent || submitter_absent(*taken.target)) {
    run_posted(*taken.target);
  } else {
    add_ready(std::move(taken.target), false);
  }
  return taken.urgent ? load::large : load::small;
}

// Clears `posted` first: steps that become ready later are posted again.
void worker_pool::run_posted(runnable& target) {
  target.posted.store(false, std::memory_order_release);  // pairs with post()
  target.run();
}

worker_pool::ready_item worker_pool::take_ready() {
  if (ready_count_.load(std::memory_order_relaxed) == 0) return {};
  const lock held(mutex_);
  if (ready_.empty()) return {};
  const auto sooner = [](const ready_item& a, const ready_item& b) {
    return std::pair(a.priority, a.order) < std::pair(b.priority, b.order);
  };
  const auto first = std::min_element(ready_.begin(), ready_.end(), sooner);
  ready_item taken = std::move(*first);
  ready_.erase(first);
  ready_count_.fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

// Waits for the grace period. False when the queue made progress, so a waiter runs its steps, or
// when an offered job needs help; the queue then stays in the list, which makes further posts
// cheap. A large post ends the wait.
bool worker_pool::submitter_absent(const runnable& target) {
  const std::uint64_t before = target.progress();
  const std::uint32_t urgent_posts = urgent_posts_.load(std::memory_order_relaxed);
  for (const auto start = os::clock::now(); os::clock::now() < start + grace_period;) {
    if (closing_.load(std::memory_order_relaxed)) return false;
    if (urgent_posts_.load(std::memory_order_relaxed) != urgent_posts) return true;
    if (jobs_.has_work()) return false;
    os::relax();
  }
  return target.progress() == before;
}

// True when there is work. After the minimum spin time it yields the CPU between polls.
bool worker_pool::spin(spin_policy::duration spin_time) {
  const auto start = os::clock::now();
  for (auto now = start; now < start + spin_time; now = os::clock::now()) {
    if (jobs_.has_work() || ready_count_.load(std::memory_order_relaxed) != 0 ||
        closing_.load(std::memory_order_relaxed)) {
      return true;
    }
    if (now < start + spin_policy::shortest_spin) {
      os::relax();
    } else {
      os::yield();
    }
  }
  return false;
}

void worker_pool::nap_or_sleep(std::size_t number) {
  const auto start = os::clock::now();
  // One worker that polls is enough; it naps, the others sleep.
  const auto is_last_watcher = [&] {
    return watching_workers_.load(std::memory_order_relaxed) == 1 &&
           os::clock::now() < start + nap_period && !closing_.load(std::memory_order_relaxed);
  };
  for (auto nap = os::clock::duration(first_nap); is_last_watcher();
       nap = std::min<os::clock::duration>(nap * 2, longest_nap)) {
    if (ready_count_.load(std::memory_order_relaxed) != 0 || jobs_.has_work()) return;
    sleep(number, os::clock::now() + nap);
  }
  watching_workers_.fetch_sub(1, std::memory_order_seq_cst);
  if (ready_count_.load(std::memory_order_seq_cst) == 0) sleep(number, {});
  watching_workers_.fetch_add(1, std::memory_order_seq_cst);
}

// Returns at once when there is work; a thread that posts work later sees the sleeper.
void worker_pool::sleep(std::size_t number, os::deadline until) {
  sleeping_.sleep_while_idle(number, until, [this] {
    return ready_count_.load(std::memory_order_seq_cst) == 0 && !jobs_.has_work() &&
           !closing_.load(std::memory_order_seq_cst);
  });
}

}  // namespace convoy::threads
