// The steps of one stream, and the claim to run them.
//
// Steps run one at a time, first in first out. A thread that runs steps (a worker, a waiter or a
// thread for host functions) first claims the queue. The queue is in exactly one of five
// states, and only the claimant of a `running` queue accesses the step at its head. A step whose
// device finishes later leaves the queue `in_flight`, claimed by no thread; the thread that reports
// the completion claims it.
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
#include "os/thread_sanitizer.hpp"
#include "seam/executor.hpp"
#include "seam/observer.hpp"
#include "stream/queue_failures.hpp"
#include "stream/signal.hpp"
#include "stream/step.hpp"
#include "stream/step_notifier.hpp"
#include "stream/stop_group.hpp"
#include "stream/wait_point.hpp"

namespace convoy {

// Everything a queue uses but does not own.
struct queue_context {
  executor& run_executor;
  const observer_slot* observers = nullptr;
  std::uint64_t number = 0;  // of the stream, for observers
  int priority = 0;
  device_id device = {};
  observer* failure_observer = nullptr;  // landed() is called for failed steps only
};

// True when a wait ended with steps that have not landed.
inline bool gave_up(const status& waited) noexcept {
  return waited.code == errc::timed_out || waited.code == errc::not_permitted;
}

class work_queue final : public runnable,
                         private completion,
                         public std::enable_shared_from_this<work_queue> {
 public:
  explicit work_queue(const queue_context& context)
      : executor_(context.run_executor),
        priority_(context.priority),
        notifier_({context.number, context.device, context.observers, context.failure_observer}) {}

  ticket push(step next);

  // Runs `work` on the calling thread as a step when the queue is empty, else returns ticket 0. For
  // short work this costs less than a queued step. start() of the work must complete inline.
  ticket try_run(action& work, const submitting_call* call = nullptr);

  // True once the step and every step before it has landed; the bytes they wrote are then visible
  // to the caller.
  [[nodiscard]] bool landed(ticket t) const noexcept {
    if (completed_.load(std::memory_order_acquire) < number(t)) return false;  // complete_to()
    os::annotate_acquire(&completed_);
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return landed(last()); }
  [[nodiscard]] ticket last() const noexcept {
    return ticket{submitted_.load(std::memory_order_acquire)};  // stored by push()
  }
  [[nodiscard]] step_position position_of(ticket t) const noexcept {
    return notifier_.position_of(t);
  }

  // Waits for a ticket and runs steps meanwhile. Returns aborted when the step was dropped, else
  // the first error of the queue if it occurred at or before the ticket. Returns not_permitted
  // instead of waiting for ever when a host function waits for its own step.
  status wait(ticket last, os::deadline until);

  // The same for the queue as a whole: steps that were dropped before the call do not count as an
  // error.
  status drain(ticket last, os::deadline until);

  // The failure of this step, as long as no later step has failed; ok otherwise.
  [[nodiscard]] status failure_of(ticket t) const;

  // Raised when all steps submitted so far have landed; null when they have already.
  std::shared_ptr<signal> tail_signal();

  // Raised when the step, and every step before it, has landed; null when it has already.
  std::shared_ptr<signal> landing_signal(ticket t);

  // Drops the steps that have not started, and allows the running one to end early.
  void abort();

  [[nodiscard]] status error() const;
  void clear_error();

  // For a stream that is destroyed: clears the error without resuming the stop group.
  void forget_error();

  // With `stops`, a failure skips the steps submitted before clear_error(). A skipped step still
  // waits for its signals, so a waiter for it does as well.
  void stop_after_failure(bool stops);

  // The same for a failure in any queue of the group. A queue that skips a step gets the error.
  void stop_with(std::shared_ptr<stop_group> group);

  // The stop group of the queue; created when there is none.
  std::shared_ptr<stop_group> own_stop_group();

  // True when the running step may end early and answer aborted: the queue was aborted or its group
  // has stopped.
  [[nodiscard]] bool head_cancelled() const;

  // Called by the group when it resumes: skips all steps submitted so far.
  void skip_pending(const stop_group& group, const stop_group::stop& ended);

  // The handle of the stream in programs. Set before any thread can submit.
  void set_handle(std::uint64_t handle) noexcept { notifier_.set_handle(handle); }

  void run() override;
  [[nodiscard]] int priority() const noexcept override { return priority_; }
  [[nodiscard]] std::uint64_t progress() const noexcept override {
    return completed_.load(std::memory_order_relaxed);
  }

  // Called by the signal the queue is blocked on.
  void resume();

 private:
  enum class state { idle, ready, running, in_flight, blocked };
  enum class thread_kind { worker, waiter, host, device };
  enum class next_move {
    run_head,
    give_up_claim,
    yield,
    hand_over,
    handed_over,
    left_in_flight,
    not_claimed
  };

  // The limits of one claim.
  struct run_budget {
    thread_kind thread;
    ticket last;         // stop when this has landed
    int steps;           // stop after this many
    os::deadline until;  // stop at this time
  };

  ticket enqueue(step&& next, bool& post);

  // Claiming and running within a budget.
  std::optional<ticket> run_locked(action& work);
  ticket claim_next() CONVOY_REQUIRES(mutex_);
  next_move claim(const run_budget& budget);
  bool drive(run_budget budget, next_move move);
  void drive_on_host_thread();
  void finish_exited_function();
  next_move hand_over(const run_budget& budget);
  next_move next(const run_budget& budget) CONVOY_REQUIRES(mutex_);
  bool blocked_at_head() CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool exhausted(const run_budget& budget) const;
  bool run_as_waiter(const run_budget& budget, int depth);
  bool help_source(os::deadline until, int depth);
  bool waits_for_caller(ticket last);
  std::shared_ptr<signal> blocking_signal() const;

  // Running the first step of the claimed queue; most return the next move.
  void take_head(bool to_skip) CONVOY_REQUIRES(mutex_);
  started_work start(action& work);
  next_move run_claimed(action& work, const run_budget& budget);
  next_move leave_in_flight(const action& work, const run_budget& budget);
  void complete(const status& outcome) override;
  next_move record_outcome(const action& work, const status& outcome, const run_budget& budget);
  next_move finish_step(const run_budget& budget);
  void fail_head(const action& work, const status& outcome);

  std::shared_ptr<signal> signal_of(ticket t) CONVOY_REQUIRES(mutex_);
  void complete_to(ticket position) CONVOY_REQUIRES(mutex_);
  void move_signals_to_head(std::deque<step>& dropped) CONVOY_REQUIRES(mutex_);

  executor& executor_;
  const int priority_;
  step_notifier notifier_;

  mutable mutex mutex_;
  std::deque<step> steps_ CONVOY_GUARDED_BY(mutex_);
  state state_ CONVOY_GUARDED_BY(mutex_) = state::idle;
  std::shared_ptr<signal> blocking_signal_ CONVOY_GUARDED_BY(mutex_);  // set while blocked
  std::vector<std::shared_ptr<signal>> head_raises_ CONVOY_GUARDED_BY(mutex_);
  bool head_runs_ CONVOY_GUARDED_BY(mutex_) = false;
  std::optional<status> early_outcome_
      CONVOY_GUARDED_BY(mutex_);  // complete() came before start() returned
  std::shared_ptr<work_queue> self_in_flight_ CONVOY_GUARDED_BY(mutex_);  // keeps the queue alive
  std::atomic<bool> any_failures_ =
      false;  // set by failures_; a wait without failures takes no lock
  queue_failures failures_ CONVOY_GUARDED_BY(mutex_){any_failures_};

  // Accessed by the claimant of a running queue only.
  step head_;
  bool head_skipped_ = false;
  observed_step::time head_started_ = {};

  std::atomic<std::uint64_t> submitted_ = 0;
  std::atomic<std::uint64_t> completed_ = 0;

  wait_point waiters_;
};

}  // namespace convoy
