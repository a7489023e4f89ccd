#include "threads/worker_pool.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "os/process.hpp"

namespace convoy::threads {
namespace {

using namespace std::chrono_literals;

// From this size on a batch takes longer than waking a worker for it.
constexpr std::size_t worth_ringing = std::size_t{256} << 10;

// Workers that are moved before they are woken; each costs a microsecond or two.
constexpr int most_moved = 3;

constexpr auto grace = 20us;  // for the submitter to come back and do its small work itself
constexpr auto first_nap = 100us;
constexpr auto longest_nap = 2ms;
constexpr auto napping = 100ms;  // after that, sleep until rung

}  // namespace

worker_pool::worker_pool(int workers, thread_end end, const lookout* watched_by)
    : watched_by_(watched_by), affinities_(static_cast<std::size_t>(workers)), host_(end) {
  for (wake_affinity& affinity : affinities_) {
    start_thread(threads_, end, [this, &affinity] { live(affinity); });
  }
}

worker_pool::~worker_pool() {
  closing_.store(true, std::memory_order_seq_cst);
  bell_.fetch_add(1, std::memory_order_seq_cst);
  os::wake_all(bell_);
  for (std::thread& each : threads_) each.join();
}

void worker_pool::post(std::shared_ptr<runnable> ready, std::size_t bytes) {
  const bool urgent = bytes >= worth_ringing;
  // Pairs with run_listed().
  if (!ready->listed.exchange(true, std::memory_order_acq_rel)) list(std::move(ready), urgent);
  if (urgent) {
    hurry();
  } else if (watching_.load(std::memory_order_seq_cst) == 0) {
    ring();
  }
}

void worker_pool::list(std::shared_ptr<runnable> ready, bool urgent) {
  const lock held(mutex_);
  const int priority = ready->priority();
  ready_.push_back({std::move(ready), urgent, priority, ++posted_});
  // Sequentially consistent with nap_or_sleep(): either the worker sees the entry or the poster
  // sees that nobody watches.
  waiting_.fetch_add(1, std::memory_order_seq_cst);
}

void worker_pool::more_work(std::size_t bytes) {
  if (bytes >= worth_ringing) hurry();
}

void worker_pool::hurry() {
  hurries_.fetch_add(1, std::memory_order_relaxed);  // read by left_alone(), sooner or later
  ring_for_help();
}

void worker_pool::do_together(job& what, std::size_t bytes) {
  const job_board::posting shown(board_, what);
  if (bytes >= worth_ringing) ring_for_help();
  what.work();
}

bool worker_pool::assist() {
  observer* const watching = watched_by_ == nullptr ? nullptr : watched_by_->now();
  if (watching == nullptr || !board_.has_work()) return board_.join();
  const auto start = os::clock::now();
  if (!board_.join()) return false;
  watching->helped(start, os::clock::now());
  return true;
}

void worker_pool::ring() {
  if (asleep_.load(std::memory_order_seq_cst) == 0) return;
  bell_.fetch_add(1, std::memory_order_seq_cst);
  os::wake_all(bell_);
}

// The first of them are woken away from the processor of who rings, which will be busy.
void worker_pool::ring_for_help() {
  int moved = 0;
  for (wake_affinity& affinity : affinities_) {
    if (moved != most_moved && affinity.avoid_caller_cpu()) ++moved;
  }
  ring();
}

void worker_pool::live(wake_affinity& affinity) {
  os::name_thread("convoy-worker");
  rhythm beat;
  auto idle_since = os::clock::now();
  while (!closing_.load(std::memory_order_relaxed)) {
    const auto looked = os::clock::now();
    const load done = work_once();
    if (done == load::large) {
      beat.resumed_after(looked - idle_since);
      idle_since = os::clock::now();
    }
    if (done != load::none) continue;
    watching_.fetch_add(1, std::memory_order_seq_cst);
    if (!spin(beat.patience())) {
      beat.broken();
      nap_or_sleep(affinity);
    }
    watching_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

worker_pool::load worker_pool::work_once() {
  if (assist()) return load::large;
  entry taken = take_ready();
  if (taken.who == nullptr) return load::none;
  if (taken.urgent || left_alone(*taken.who)) {
    run_listed(*taken.who);
  } else {
    list(std::move(taken.who), false);
  }
  return taken.urgent ? load::large : load::small;
}

// What becomes ready before this is run now; what does so later is posted again.
void worker_pool::run_listed(runnable& who) {
  who.listed.store(false, std::memory_order_release);  // pairs with post()
  who.run();
}

worker_pool::entry worker_pool::take_ready() {
  if (waiting_.load(std::memory_order_relaxed) == 0) return {};
  const lock held(mutex_);
  if (ready_.empty()) return {};
  const auto sooner = [](const entry& a, const entry& b) {
    return std::pair(a.priority, a.order) < std::pair(b.priority, b.order);
  };
  const auto first = std::min_element(ready_.begin(), ready_.end(), sooner);
  entry taken = std::move(*first);
  ready_.erase(first);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

// False when its submitter came back within the grace and runs the steps itself, or when others can
// be helped meanwhile. It stays listed, so that more steps cost the submitter little; large ones
// end the grace.
bool worker_pool::left_alone(const runnable& who) {
  const std::uint64_t before = who.progress();
  const std::uint32_t hurries = hurries_.load(std::memory_order_relaxed);
  for (const auto start = os::clock::now(); os::clock::now() < start + grace;) {
    if (closing_.load(std::memory_order_relaxed)) return false;
    if (hurries_.load(std::memory_order_relaxed) != hurries) return true;
    if (board_.has_work()) return false;
    os::relax();
  }
  return who.progress() == before;
}

// True when there is something to do. Who spins long lets others have the processor.
bool worker_pool::spin(rhythm::duration patience) {
  const auto start = os::clock::now();
  for (auto now = start; now < start + patience; now = os::clock::now()) {
    if (board_.has_work() || waiting_.load(std::memory_order_relaxed) != 0 ||
        closing_.load(std::memory_order_relaxed)) {
      return true;
    }
    if (now < start + rhythm::shortest) {
      os::relax();
    } else {
      os::yield();
    }
  }
  return false;
}

void worker_pool::nap_or_sleep(wake_affinity& affinity) {
  const auto start = os::clock::now();
  // One lookout is enough.
  const auto on_duty = [&] {
    return watching_.load(std::memory_order_relaxed) == 1 && os::clock::now() < start + napping &&
           !closing_.load(std::memory_order_relaxed);
  };
  for (auto nap = os::clock::duration(first_nap); on_duty();
       nap = std::min<os::clock::duration>(nap * 2, longest_nap)) {
    if (waiting_.load(std::memory_order_relaxed) != 0 || board_.has_work()) return;
    sleep(affinity, os::clock::now() + nap);
  }
  watching_.fetch_sub(1, std::memory_order_seq_cst);
  if (waiting_.load(std::memory_order_seq_cst) == 0) sleep(affinity, {});
  watching_.fetch_add(1, std::memory_order_seq_cst);
}

void worker_pool::sleep(wake_affinity& affinity, os::deadline until) {
  affinity.before_sleep();
  const std::uint32_t seen = bell_.load(std::memory_order_seq_cst);
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  // Whoever posts after this line sees a sleeper and rings; what came before is seen here.
  const bool idle = waiting_.load(std::memory_order_seq_cst) == 0 && !board_.has_work() &&
                    !closing_.load(std::memory_order_seq_cst);
  if (idle) os::sleep_while(bell_, seen, until);
  affinity.after_wake();
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace convoy::threads
