#include "threads/parallel_jobs.hpp"

#include "os/futex.hpp"
#include "os/process.hpp"

namespace convoy::threads {

bool job_board::join() {
  if (!has_work()) return false;
  bool worked = false;
  for (place& each : places_) {
    if (each.shown.load(std::memory_order_relaxed) == nullptr) continue;
    // Sequentially consistent with ~posting: either it sees this helper or we see its null.
    each.helpers.fetch_add(1, std::memory_order_seq_cst);
    if (job* const found = each.shown.load(std::memory_order_seq_cst)) worked |= found->help();
    each.helpers.fetch_sub(1, std::memory_order_release);  // read by ~posting
  }
  return worked;
}

job_board::posting::posting(job_board& board, job& what) : board_(board), place_(0) {
  for (; place_ != board_.places_.size(); ++place_) {
    job* expected = nullptr;
    auto& shown = board_.places_[place_].shown;
    if (shown.load(std::memory_order_relaxed) == nullptr &&
        shown.compare_exchange_strong(expected, &what, std::memory_order_seq_cst)) {
      board_.posted_.fetch_add(1, std::memory_order_seq_cst);  // read by has_work()
      return;
    }
  }
}

job_board::posting::~posting() {
  if (place_ == board_.places_.size()) return;
  place& mine = board_.places_[place_];
  board_.posted_.fetch_sub(1, std::memory_order_relaxed);
  mine.shown.store(nullptr, std::memory_order_seq_cst);  // read by join()
  for (int spins = 0; mine.helpers.load(std::memory_order_seq_cst) != 0; ++spins) {
    // A helper has at most one unit to finish, unless its processor was taken away.
    if (spins < 10000) {
      os::relax();
    } else {
      os::yield();
    }
  }
}

}  // namespace convoy::threads
