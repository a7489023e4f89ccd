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
  ticket at = {};
  step_place::time submitted = {};  // told to observers; known while there is one
};

class work_queue final : public runnable, public std::enable_shared_from_this<work_queue> {
 public:
  struct surroundings {
    executor& runs_on;
    const lookout* watched_by = nullptr;
    std::uint64_t number = 0;  // names the stream to observers
    int priority = 0;
    device_id device = {};
    observer* failures_told_to = nullptr;  // hears when a step that failed lands, and nothing else
  };

  explicit work_queue(surroundings around) : around_(around) {}

  ticket push(step next);

  // Runs `work` on the spot, as a step of its own, when nothing is ahead of it; answers ticket 0
  // when something is. Quick work costs less that way than its place in the queue.
  ticket try_run(action& work);

  // True once the step and every step before it has landed; the bytes they wrote are then visible
  // to the caller.
  [[nodiscard]] bool landed(ticket t) const noexcept {
    return completed_.load(std::memory_order_acquire) >= number(t);  // stored by settle()
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
  std::shared_ptr<stop_group> stops_with();

  // For the step under way, which may give up and answer aborted when the queue was aborted or its
  // group has stopped.
  [[nodiscard]] bool head_may_give_up() const;

  // Called by its group when that goes on: what was submitted until now is not to run any more.
  void pass_over_pending(const stop_group& by, const stop_group::stop& ending);

  // What programs call the stream. Set before anybody can submit.
  void set_handle(std::uint64_t handle) noexcept { handle_ = handle; }

  void run() override;
  [[nodiscard]] int priority() const noexcept override { return around_.priority; }
  [[nodiscard]] std::uint64_t progress() const noexcept override {
    return completed_.load(std::memory_order_relaxed);
  }

  // Called by the signal the queue is blocked on.
  void resume();

 private:
  enum class state { idle, ready, running, blocked };
  enum class thread_kind { worker, waiter, host };
  enum class verdict { run_head, give_up_claim, yield, hand_over, not_mine };

  // How far one claim goes.
  struct turn {
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

  [[nodiscard]] observer* watcher() const noexcept {
    return around_.watched_by == nullptr ? nullptr : around_.watched_by->now();
  }
  [[nodiscard]] step_place place_of(const action& work, const step& one) const;
  ticket enqueue(step&& next, bool& post);
  ticket enqueue_watched(step&& next, bool& post, observer& by);

  std::optional<ticket> run_locked(action& work);
  ticket claim_next() CONVOY_REQUIRES(mutex_);
  bool drive(turn mine, verdict what);
  void drive_on_host_thread();
  verdict claim(const turn& mine);
  verdict next(const turn& mine) CONVOY_REQUIRES(mutex_);
  bool blocked_at_head() CONVOY_REQUIRES(mutex_);
  std::shared_ptr<signal> signal_of(ticket t) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool over(const turn& mine) const;
  void take_head(bool to_pass_over) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool passes_over(ticket t) const CONVOY_REQUIRES(mutex_) {
    return group_ != nullptr && (t <= not_to_run_ || group_->stopped());
  }
  [[nodiscard]] bool was_dropped(ticket t) const CONVOY_REQUIRES(mutex_);
  void complete(ticket at) CONVOY_REQUIRES(mutex_);
  void leave_signals_to_head(std::deque<step>& dropped) CONVOY_REQUIRES(mutex_);
  // Run the work at the head of the claimed queue and answer what comes next.
  verdict run_head(const turn& mine);
  verdict run_claimed(action& work, const turn& mine);
  status run_watched(action& work, observer& by) const;
  verdict land(const action& work, const status& outcome, const turn& mine);
  verdict settle(const turn& mine);
  void fail_head(const action& work, const status& outcome);
  void keep_error(const status& outcome) CONVOY_REQUIRES(mutex_);
  void note_passed_over() CONVOY_REQUIRES(mutex_);
  void note_given_up() CONVOY_REQUIRES(mutex_);
  void join(std::shared_ptr<stop_group> group) CONVOY_REQUIRES(mutex_);
  void tell_dropped(const action& work, const step& one) const;
  void announce();
  void rest(std::uint32_t seen, os::deadline until);
  bool lend_hand(const turn& mine, int depth);
  bool help_source(os::deadline until, int depth);
  [[nodiscard]] status outcome_of(ticket t) const;

  const surroundings around_;
  std::uint64_t handle_ = 0;

  mutable mutex mutex_;
  std::deque<step> steps_ CONVOY_GUARDED_BY(mutex_);
  state state_ CONVOY_GUARDED_BY(mutex_) = state::idle;
  std::shared_ptr<signal> obstacle_ CONVOY_GUARDED_BY(mutex_);  // set while blocked
  std::vector<std::shared_ptr<signal>> head_raises_ CONVOY_GUARDED_BY(mutex_);
  bool head_runs_ CONVOY_GUARDED_BY(mutex_) = false;
  status error_ CONVOY_GUARDED_BY(mutex_);
  ticket error_at_ CONVOY_GUARDED_BY(mutex_) = {};
  status latest_failure_ CONVOY_GUARDED_BY(mutex_);
  ticket latest_failure_at_ CONVOY_GUARDED_BY(mutex_) = {};
  std::vector<ticket_range> dropped_ CONVOY_GUARDED_BY(mutex_);  // in order
  ticket aborted_ CONVOY_GUARDED_BY(mutex_) = {};                // the latest at abort()

  std::shared_ptr<stop_group> group_ CONVOY_GUARDED_BY(mutex_);  // null for a queue that goes on
  ticket not_to_run_ CONVOY_GUARDED_BY(mutex_) = {};             // nor what is before it
  stop_group::stop ended_stop_ CONVOY_GUARDED_BY(mutex_);        // why not
  std::uint64_t stop_noted_ CONVOY_GUARDED_BY(mutex_) = 0;  // the latest this queue has an error of
  ticket_range passed_over_ CONVOY_GUARDED_BY(mutex_);      // the latest ones in a row

  // Touched by the claimant of a running queue only.
  step head_;
  bool head_is_passed_over_ = false;

  std::atomic<std::uint64_t> submitted_ = 0;
  std::atomic<std::uint64_t> completed_ = 0;

  // Set once anything failed or was dropped, so that waiting for good work takes no lock.
  std::atomic<bool> troubled_ = false;

  // Changes whenever a waiter may have something to do; slept on by waiters.
  std::atomic<std::uint32_t> news_ = 0;
  std::atomic<int> sleepers_ = 0;
};

}  // namespace convoy
