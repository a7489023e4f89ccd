#include "threads/parallel_jobs.hpp"

#include <chrono>

#include "os/futex.hpp"
#include "os/thread_sanitizer.hpp"

namespace convoy::threads {
namespace {

// A helper that runs finishes its current unit within this time; one that was preempted does not.
constexpr auto spin_time = std::chrono::microseconds(100);

}  // namespace

bool parallel_jobs::help_offered() {
  if (!has_work()) return false;
  bool worked = false;
  for (slot& each : slots_) {
    if (each.offered.load(std::memory_order_relaxed) == nullptr) continue;
    // Sequentially consistent with ~scoped_offer: it sees this helper, or this thread sees null.
    each.helpers.fetch_add(1, std::memory_order_seq_cst);
    if (job* const found = each.offered.load(std::memory_order_seq_cst)) {
      os::annotate_acquire(&each.offered);
      worked |= found->help();
    }
    each.leave();
  }
  return worked;
}

// Wakes the owner when it sleeps and this was the last helper.
void parallel_jobs::slot::leave() noexcept {
  os::annotate_release(&helpers);
  const auto before = helpers.fetch_sub(1, std::memory_order_release);  // read by the owner
  if (before == (owner_sleeps | 1)) os::wake_one(helpers);
}

void parallel_jobs::slot::wait_for_helpers() noexcept {
  if (helpers.load(std::memory_order_seq_cst) == 0) return;
  for (const auto end = os::clock::now() + spin_time; os::clock::now() < end;) {
    for (int i = 0; i != 16; ++i) {
      if (helpers.load(std::memory_order_acquire) == 0) return;  // lowered by leave()
      os::relax();
    }
  }
  auto left = helpers.fetch_or(owner_sleeps, std::memory_order_acquire) | owner_sleeps;
  for (; left != owner_sleeps; left = helpers.load(std::memory_order_acquire)) {
    os::sleep_while(helpers, left, {});
  }
  helpers.fetch_and(~owner_sleeps, std::memory_order_relaxed);
}

parallel_jobs::scoped_offer::scoped_offer(parallel_jobs& jobs, job& work) : jobs_(jobs), slot_(0) {
  for (; slot_ != jobs_.slots_.size(); ++slot_) {
    slot& own = jobs_.slots_[slot_];
    // Acquires the slot that ~scoped_offer has released.
    if (own.taken.load(std::memory_order_relaxed) ||
        own.taken.exchange(true, std::memory_order_acquire)) {
      continue;
    }
    os::annotate_release(&own.offered);
    own.offered.store(&work, std::memory_order_seq_cst);     // read by help_offered()
    jobs_.offered_.fetch_add(1, std::memory_order_seq_cst);  // read by has_work()
    return;
  }
}

parallel_jobs::scoped_offer::~scoped_offer() {
  if (slot_ == jobs_.slots_.size()) return;
  slot& own = jobs_.slots_[slot_];
  jobs_.offered_.fetch_sub(1, std::memory_order_relaxed);
  own.offered.store(nullptr, std::memory_order_seq_cst);  // read by help_offered()
  own.wait_for_helpers();
  os::annotate_acquire(&own.helpers);
  own.taken.store(false, std::memory_order_release);
}

}  // namespace convoy::threads
