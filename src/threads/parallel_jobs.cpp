#include "threads/parallel_jobs.hpp"

#include "os/futex.hpp"
#include "os/process.hpp"

namespace convoy::threads {

bool parallel_jobs::help_posted() {
  if (!has_work()) return false;
  bool worked = false;
  for (slot& each : slots_) {
    if (each.offered.load(std::memory_order_relaxed) == nullptr) continue;
    // Sequentially consistent with ~scoped_offer: it sees this helper, or this thread sees null.
    each.helpers.fetch_add(1, std::memory_order_seq_cst);
    if (job* const found = each.offered.load(std::memory_order_seq_cst)) worked |= found->help();
    each.helpers.fetch_sub(1, std::memory_order_release);  // read by ~scoped_offer
  }
  return worked;
}

parallel_jobs::scoped_offer::scoped_offer(parallel_jobs& jobs, job& work) : jobs_(jobs), slot_(0) {
  for (; slot_ != jobs_.slots_.size(); ++slot_) {
    job* expected = nullptr;
    auto& offered = jobs_.slots_[slot_].offered;
    if (offered.load(std::memory_order_relaxed) == nullptr &&
        offered.compare_exchange_strong(expected, &work, std::memory_order_seq_cst)) {
      jobs_.posted_.fetch_add(1, std::memory_order_seq_cst);  // read by has_work()
      return;
    }
  }
}

parallel_jobs::scoped_offer::~scoped_offer() {
  if (slot_ == jobs_.slots_.size()) return;
  slot& own = jobs_.slots_[slot_];
  jobs_.posted_.fetch_sub(1, std::memory_order_relaxed);
  own.offered.store(nullptr, std::memory_order_seq_cst);  // read by help_posted()
  for (int spins = 0; own.helpers.load(std::memory_order_seq_cst) != 0; ++spins) {
    // A helper finishes its current unit only, which takes long if it was preempted.
    if (spins < 10000) {
      os::relax();
    } else {
      os::yield();
    }
  }
}

}  // namespace convoy::threads
