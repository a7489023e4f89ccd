// The order inside one stream.
//
// Steps run one at a time, first in first out. Whoever drives the queue, a worker, a waiting thread
// or a thread for host functions, first claims it; the queue is in exactly one of four states, and
// only the claimant of a `running` queue touches the step at its head.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.hpp"
#include "os/futex.hpp"
#include "seam/executor.hpp"
#include "seam/observer.hpp"
#include "stream/action.hpp"
#include "stream/signal.hpp"
#include "stream/stop_group.hpp"

namespace convoy {

struct step {
  std::unique_ptr<action> work;
  std::vector<std::shared_ptr<signal>> waits;   // all raised before it runs
  std::vector<std::shared_ptr<signal>> raises;  // raised when it has landed
  ticket position = {};
  observed_step::time submitted = {};  // told to observers; known while there is one
};

// Everything a queue uses but does not own.
struct queue_context {
  executor& run_executor;
  const observer_slot* observers = nullptr;
  std::uint64_t number = 0;  // names the stream to observers
  int priority = 0;
  device_id device = {};
  observer* failure_observer = nullptr;  // hears when a step that failed lands, and nothing else
};

class work_queue final : public runnable, public std::enable_shared_from_this<work_queue> {
 public:
  explicit work_queue(queue_context context) : context_(context) {}

  ticket push(step next);

  // Runs `work` on the spot, as a step of its own, when nothing is ahead of it; answers ticket 0
  // when something is. Quick work costs less that way than its place in the queue.
  ticket try_run(action& work);

  // True once the step and every step before it has landed; the bytes they wrote are then visible
  // to the caller.
  [[nodiscard]] bool landed(ticket t) const noexcept {
    return completed_.load(std::memory_order_acquire) >= number(t);  // stored by finish_step()
  }
  [[nodiscard]] bool empty() const noexcept { return landed(last()); }
  [[nodiscard]] ticket last() const noexcept {
    return ticket{submitted_.load(std::memory_order_acquire)};  // stored by push()
  }

  // Waits for a ticket and runs steps meanwhile. Answers the queue's first error when it happened
  // at or before the ticket.
  status wait(ticket last, os::deadline until);

  // The same for a caller that asks about the queue and not about a step: what an abort dropped
  // before is no longer its business.
  status drain(ticket last, os::deadline until);

  // How that very step failed, as long as no later one has; ok when it did not.
  [[nodiscard]] status failure_of(ticket t) const;

  // Raised when everything submitted so far has landed; null when it has already.
  std::shared_ptr<signal> tail_signal();

  // Raised when the step, and every step before it, has landed; null when it has already.
  std::shared_ptr<signal> landing_signal(ticket of);

  // Drops the steps that have not started, and lets the one under way give up.
  void abort();

  [[nodiscard]] status error() const;
  void clear_error();

  // The same when nobody is left to submit anything: what a failure has stopped stays so.
  void disown_error();

  // Whether a failure has the steps behind it passed over that are submitted before clear_error().
  // They await what they would have awaited, so whoever waits for one of them still waits for those
  // too.
  void stop_after_failure(bool stops);

  // The same for a failure in any queue of the group, whose members then have its error too as soon
  // as they pass a step over.
  void stop_with(std::shared_ptr<stop_group> group);

  // The group it stops with, perhaps alone; made when there is none.
  std::shared_ptr<stop_group> own_stop_group();

  // For the step under way, which may give up and answer aborted when the queue was aborted or its
  // group has stopped.
  [[nodiscard]] bool head_cancelled() const;

  // Called by its group when that goes on: what was submitted until now is not to run any more.
  void skip_pending(const stop_group& by, const stop_group::stop& ending);

  // What programs call the stream. Set before anybody can submit.
  void set_handle(std::uint64_t handle) noexcept { handle_ = handle; }

  void run() override;
  [[nodiscard]] int priority() const noexcept override { return context_.priority; }
  [[nodiscard]] std::uint64_t progress() const noexcept override {
    return completed_.load(std::memory_order_relaxed);
  }

  // Called by the signal the queue is blocked on.
  void resume();

 private:
  enum class state { idle, ready, running, blocked };
  enum class thread_kind { worker, waiter, host };
  enum class next_move { run_head, give_up_claim, yield, hand_over, not_claimed };

  // How far one claim goes.
  struct run_budget {
    thread_kind on;
    ticket last;         // stop once this has landed
    int steps;           // stop after so many
    os::deadline until;  // stop then
  };

  // Both ends included; ticket 0 is no step's.
  struct ticket_range {
    ticket first = {};
    ticket last = {};
    [[nodiscard]] bool holds(ticket t) const noexcept { return first <= t && t <= last; }
  };

  [[nodiscard]] observer* current_observer() const noexcept {
    return context_.observers == nullptr ? nullptr : context_.observers->load();
  }
  [[nodiscard]] observed_step observed(const action& work, const step& one) const;
  ticket enqueue(step&& next, bool& post);
  ticket enqueue_observed(step&& next, bool& post, observer& by);

  std::optional<ticket> run_locked(action& work);
  ticket claim_next() CONVOY_REQUIRES(mutex_);
  bool drive(run_budget budget, next_move move);
  void drive_on_host_thread();
  next_move claim(const run_budget& budget);
  next_move next(const run_budget& budget) CONVOY_REQUIRES(mutex_);
  bool blocked_at_head() CONVOY_REQUIRES(mutex_);
  std::shared_ptr<signal> signal_of(ticket t) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool over(const run_budget& budget) const;
  void take_head(bool to_skip) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool skips(ticket t) const CONVOY_REQUIRES(mutex_) {
    return group_ != nullptr && (t <= skip_through_ || group_->stopped());
  }
  [[nodiscard]] bool was_dropped(ticket t) const CONVOY_REQUIRES(mutex_);
  void complete(ticket at) CONVOY_REQUIRES(mutex_);
  void move_signals_to_head(std::deque<step>& dropped) CONVOY_REQUIRES(mutex_);
  // Run the work at the head of the claimed queue and answer what comes next.
  next_move run_head(const run_budget& budget);
  next_move run_claimed(action& work, const run_budget& budget);
  status run_observed(action& work, observer& by) const;
  next_move record_outcome(const action& work, const status& outcome, const run_budget& budget);
  next_move finish_step(const run_budget& budget);
  void fail_head(const action& work, const status& outcome);
  void record_error(const status& outcome) CONVOY_REQUIRES(mutex_);
  void record_skipped() CONVOY_REQUIRES(mutex_);
  void record_given_up() CONVOY_REQUIRES(mutex_);
  void join(std::shared_ptr<stop_group> group) CONVOY_REQUIRES(mutex_);
  void notify_dropped(const action& work, const step& one) const;
  void wake_waiters();
  void spin_then_sleep(std::uint32_t seen, os::deadline until);
  bool run_as_waiter(const run_budget& budget, int depth);
  bool help_source(os::deadline until, int depth);
  [[nodiscard]] status outcome_of(ticket t) const;

  const queue_context context_;
  std::uint64_t handle_ = 0;

  mutable mutex mutex_;
  std::deque<step> steps_ CONVOY_GUARDED_BY(mutex_);
  state state_ CONVOY_GUARDED_BY(mutex_) = state::idle;
  std::shared_ptr<signal> blocking_signal_ CONVOY_GUARDED_BY(mutex_);  // set while blocked
  std::vector<std::shared_ptr<signal>> head_raises_ CONVOY_GUARDED_BY(mutex_);
  bool head_runs_ CONVOY_GUARDED_BY(mutex_) = false;
  status error_ CONVOY_GUARDED_BY(mutex_);
  ticket error_at_ CONVOY_GUARDED_BY(mutex_) = {};
  status latest_failure_ CONVOY_GUARDED_BY(mutex_);
  ticket latest_failure_at_ CONVOY_GUARDED_BY(mutex_) = {};
  std::vector<ticket_range> dropped_ CONVOY_GUARDED_BY(mutex_);  // in order
  ticket aborted_ CONVOY_GUARDED_BY(mutex_) = {};                // the latest at abort()

  std::shared_ptr<stop_group> group_ CONVOY_GUARDED_BY(mutex_);  // null for a queue that goes on
  ticket skip_through_ CONVOY_GUARDED_BY(mutex_) = {};           // nor what is before it
  stop_group::stop ended_stop_ CONVOY_GUARDED_BY(mutex_);        // why not
  std::uint64_t last_seen_stop_ CONVOY_GUARDED_BY(mutex_) =
      0;                                            // the latest this queue has an error of
  ticket_range skipped_ CONVOY_GUARDED_BY(mutex_);  // the latest ones in a row

  // Touched by the claimant of a running queue only.
  step head_;
  bool head_skipped_ = false;

  std::atomic<std::uint64_t> submitted_ = 0;
  std::atomic<std::uint64_t> completed_ = 0;

  // Set once anything failed or was dropped, so that waiting for good work takes no lock.
  std::atomic<bool> has_failures_ = false;

  // Changes whenever a waiter may have something to do; slept on by waiters.
  std::atomic<std::uint32_t> wake_epoch_ = 0;
  std::atomic<int> sleepers_ = 0;
};

}  // namespace convoy
