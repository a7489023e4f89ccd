#include "stream/work_queue.hpp"

#include <algorithm>
#include <climits>
#include <iterator>
#include <utility>

#include "os/fault_guard.hpp"
#include "os/forced_unwind.hpp"

namespace convoy {
namespace {

constexpr ticket no_limit{UINT64_MAX};

// Steps that a worker runs per claim, so that one busy stream does not starve the others.
constexpr int steps_per_claim = 32;

// A step of this size wakes sleeping waiters, which then help with its copies.
constexpr std::size_t wake_waiters_threshold = std::size_t{1} << 20;

// The longest chain of streams waiting for each other that a waiter follows.
constexpr int max_wait_chain = 64;

// The queue whose host functions the calling thread runs.
thread_local const work_queue* host_function_queue = nullptr;

}  // namespace

ticket work_queue::push(step next) {
  const std::size_t bytes = next.work->summary().bytes;
  bool post = false;
  const ticket given = enqueue(std::move(next), post);
  if (!post) return given;
  if (posted.load(std::memory_order_acquire)) {  // stored by the executor
    executor_.more_work(bytes);
  } else {
    executor_.post(shared_from_this(), bytes);
  }
  return given;
}

// Notifies the observer before any thread can claim the step.
ticket work_queue::enqueue(step&& next, bool& post) {
  observer* const current = notifier_.current();
  if (current != nullptr) next.submitted = os::clock::now();
  const lock held(mutex_);
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  next.position = given;
  for (const auto& each : next.raises) each->bind(given);
  if (current != nullptr) notifier_.submitted(*current, *next.work, next, next.call);
  next.call = nullptr;
  steps_.push_back(std::move(next));
  submitted_.store(number(given), std::memory_order_release);  // read by last()
  post = state_ == state::idle || state_ == state::ready;
  if (state_ == state::idle) state_ = state::ready;
  return given;
}

ticket work_queue::try_run(action& work, const submitting_call* call) {
  if (notifier_.current() == nullptr && work.is_brief()) {
    if (const auto answer = run_locked(work)) return *answer;
  }
  ticket given;
  {
    const lock held(mutex_);
    if (state_ != state::idle) return {};
    given = claim_next();
    head_skipped_ = failures_.skips(given);
    if (observer* const current = notifier_.current()) {
      head_.submitted = os::clock::now();
      notifier_.submitted(*current, work, head_, call);
    }
  }
  const run_budget budget{thread_kind::waiter, given, 1, {}};
  drive(budget, run_claimed(work, budget));
  return given;
}

// Claims the queue for a step that is not in `steps_`: it gets the next ticket and runs at once.
ticket work_queue::claim_next() {
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  state_ = state::running;
  head_.position = given;
  head_.submitted = {};
  head_runs_ = true;
  submitted_.store(number(given), std::memory_order_release);  // read by last()
  return given;
}

// The result of try_run(), or none when the lock is taken or the queue belongs to a stop group.
// Holds the lock during the work, so that no thread can start to wait for the step and need a
// wake-up.
std::optional<ticket> work_queue::run_locked(action& work) {
  if (!mutex_.try_lock_briefly()) return {};
  const bool busy = state_ != state::idle;
  if (busy || failures_.group() != nullptr) {
    mutex_.unlock_briefly();
    return busy ? std::optional(ticket{}) : std::nullopt;
  }
  const ticket given = claim_next();
  const status outcome = *start(work);
  if (outcome.ok()) {
    state_ = state::idle;
    head_runs_ = false;
    complete_to(given);
    mutex_.unlock_briefly();
    return given;
  }
  mutex_.unlock_briefly();
  const run_budget budget{thread_kind::waiter, given, 1, {}};
  drive(budget, record_outcome(work, outcome, budget));
  return given;
}

void work_queue::run() {
  const run_budget budget{thread_kind::worker, no_limit, steps_per_claim, {}};
  drive(budget, claim(budget));
}

work_queue::next_move work_queue::claim(const run_budget& budget) {
  const lock held(mutex_);
  if (state_ != state::ready) return next_move::not_claimed;
  state_ = state::running;
  return next(budget);
}

// Runs steps of the claimed queue within the budget, then releases the claim. True when any step
// ran.
bool work_queue::drive(run_budget budget, next_move move) {
  const bool runs = move == next_move::run_head;
  while (move == next_move::run_head || move == next_move::hand_over) {
    if (move == next_move::hand_over) {
      move = hand_over(budget);
      continue;
    }
    --budget.steps;
    move = run_claimed(*head_.work, budget);
  }
  switch (move) {
    case next_move::run_head:
    case next_move::hand_over:
    case next_move::handed_over:
    case next_move::left_in_flight:
    case next_move::not_claimed: break;
    case next_move::give_up_claim: waiters_.wake(); break;
    case next_move::yield: executor_.post(shared_from_this(), 0); break;
  }
  return runs;
}

// Leaves the claim to a host thread. When there is none, the step at the head fails.
work_queue::next_move work_queue::hand_over(const run_budget& budget) {
  const bool called = executor_.call([self = shared_from_this()] { self->drive_on_host_thread(); });
  if (called) return next_move::handed_over;
  run_budget on_host = budget;
  on_host.thread = thread_kind::host;
  {
    const lock held(mutex_);
    const next_move move = next(on_host);  // abort() may have changed the head
    if (move != next_move::run_head || head_skipped_ || !head_.work->may_block()) return move;
  }
  head_started_ = notifier_.started(*head_.work, head_);
  return record_outcome(*head_.work, {errc::out_of_threads}, budget);
}

void work_queue::drive_on_host_thread() {
  const run_budget budget{thread_kind::host, no_limit, steps_per_claim, {}};
  const auto first = [&] {
    const lock held(mutex_);
    return next(budget);
  };
  host_function_queue = this;
  try {
    drive(budget, first());
  } catch (const os::forced_unwind&) {
    finish_exited_function();
    throw;
  }
  host_function_queue = nullptr;
}

// For a host function that ended its thread: the executor runs the next steps.
void work_queue::finish_exited_function() {
  const run_budget budget{thread_kind::device, no_limit, 0, {}};
  drive(budget, record_outcome(*head_.work, {errc::function_threw}, budget));
}

// Decides the next move of the claimant; takes the first step when it has to run.
work_queue::next_move work_queue::next(const run_budget& budget) {
  if (steps_.empty()) {
    state_ = state::idle;
    complete_to(ticket{completed_.load(std::memory_order_relaxed)});
    return next_move::give_up_claim;
  }
  if (blocked_at_head()) return next_move::give_up_claim;
  if (exhausted(budget)) {
    state_ = state::ready;
    return next_move::yield;
  }
  const bool to_skip = failures_.skips(steps_.front().position);
  const bool blocks = steps_.front().work->may_block() && !to_skip;
  if (blocks && budget.thread != thread_kind::host) return next_move::hand_over;
  take_head(to_skip);
  return next_move::run_head;
}

bool work_queue::blocked_at_head() {
  for (const auto& awaited : steps_.front().waits) {
    if (awaited->raised() || !awaited->subscribe(shared_from_this())) continue;
    state_ = state::blocked;
    blocking_signal_ = awaited;
    return true;
  }
  return false;
}

bool work_queue::exhausted(const run_budget& budget) const {
  return budget.steps == 0 || completed_.load(std::memory_order_relaxed) >= number(budget.last) ||
         (budget.until && os::clock::now() >= *budget.until);
}

void work_queue::take_head(bool to_skip) {
  head_ = std::move(steps_.front());
  steps_.pop_front();
  head_raises_ = std::move(head_.raises);
  head_runs_ = true;
  head_skipped_ = to_skip;
}

started_work work_queue::start(action& work) {
  const os::guarded_step guarded(work.may_fault());
  return work.start(*this);
}

work_queue::next_move work_queue::run_claimed(action& work, const run_budget& budget) {
  if (head_skipped_) {
    notifier_.dropped(work, head_);
    return finish_step(budget);
  }
  if (work.summary().bytes >= wake_waiters_threshold) waiters_.wake();
  head_started_ = notifier_.started(work, head_);
  if (const started_work outcome = start(work)) return record_outcome(work, *outcome, budget);
  return leave_in_flight(work, budget);
}

// Releases the claim until complete() is called, unless that has happened already.
work_queue::next_move work_queue::leave_in_flight(const action& work, const run_budget& budget) {
  std::optional<status> outcome;
  {
    const lock held(mutex_);
    outcome = std::exchange(early_outcome_, std::nullopt);
    if (!outcome) {
      state_ = state::in_flight;
      self_in_flight_ = shared_from_this();
      return next_move::left_in_flight;
    }
  }
  return record_outcome(work, *outcome, budget);
}

// Called by the device on any thread, which finishes the step; the executor runs the next ones.
void work_queue::complete(const status& outcome) {
  std::shared_ptr<work_queue> self;
  {
    const lock held(mutex_);
    if (state_ != state::in_flight) {
      early_outcome_ = outcome;
      return;
    }
    state_ = state::running;
    self = std::move(self_in_flight_);
  }
  const run_budget budget{thread_kind::device, no_limit, 0, {}};
  drive(budget, record_outcome(*head_.work, outcome, budget));
}

work_queue::next_move work_queue::record_outcome(const action& work, const status& outcome,
                                                 const run_budget& budget) {
  notifier_.landed(work, head_, head_started_, outcome);
  head_skipped_ = outcome.code == errc::aborted;
  if (!outcome.ok() && !head_skipped_) fail_head(work, outcome);
  return finish_step(budget);
}

// Runs before the step lands, so that a waiter finds the group stopped and the failure reported.
void work_queue::fail_head(const action& work, const status& outcome) {
  {
    const lock held(mutex_);
    failures_.record_failure(head_.position, outcome);
  }
  notifier_.failed(work, head_, outcome);
}

work_queue::next_move work_queue::finish_step(const run_budget& budget) {
  head_.work.reset();
  head_.waits.clear();
  std::vector<std::shared_ptr<signal>> raises;
  next_move following;
  {
    const lock held(mutex_);
    if (head_skipped_) failures_.record_skipped(head_.position);
    head_runs_ = false;
    raises = std::exchange(head_raises_, {});
    complete_to(head_.position);
    following = next(budget);
  }
  for (const auto& each : raises) each->raise();
  if (following != next_move::give_up_claim) waiters_.wake();
  return following;
}

void work_queue::resume() {
  {
    const lock held(mutex_);
    if (state_ != state::blocked) return;
    state_ = state::ready;
    blocking_signal_.reset();
  }
  waiters_.wake();
  executor_.post(shared_from_this(), 0);
}

status work_queue::wait(ticket last, os::deadline until) {
  while (!landed(last)) {
    const std::uint32_t seen = waiters_.epoch();
    if (run_as_waiter({thread_kind::waiter, last, INT_MAX, until}, 0) || landed(last)) continue;
    if (executor_.assist()) continue;
    if (until && os::clock::now() >= *until) return {errc::timed_out};
    if (waits_for_caller(last)) return {errc::not_permitted};
    waiters_.spin_then_sleep(seen, until, executor_);
  }
  if (!any_failures_.load(std::memory_order_relaxed)) return {};  // ordered by completed_
  const lock held(mutex_);
  return failures_.outcome_of(last);
}

status work_queue::drain(ticket last, os::deadline until) {
  return landed(last) ? error() : wait(last, until);
}

// Runs steps of this queue, or of the queue that it waits for. True when any step ran.
bool work_queue::run_as_waiter(const run_budget& budget, int depth) {
  if (drive(budget, claim(budget))) return true;
  return depth < max_wait_chain && help_source(budget.until, depth + 1);
}

bool work_queue::help_source(os::deadline until, int depth) {
  const auto blocking = blocking_signal();
  if (!blocking) return false;
  const auto source = blocking->source();
  if (!source || source.get() == this) return false;
  return source->run_as_waiter({thread_kind::waiter, blocking->position(), INT_MAX, until}, depth);
}

std::shared_ptr<signal> work_queue::blocking_signal() const {
  const lock held(mutex_);
  return blocking_signal_;
}

// True when the step cannot land before the host function that the calling thread runs returns.
bool work_queue::waits_for_caller(ticket last) {
  if (host_function_queue == nullptr) return false;
  auto at = shared_from_this();
  for (int depth = 0; depth != max_wait_chain; ++depth) {
    if (at.get() == host_function_queue) return last >= at->head_.position;
    const auto blocking = at->blocking_signal();
    if (!blocking) return false;
    at = blocking->source();
    if (!at) return false;
    last = blocking->position();
  }
  return false;
}

std::shared_ptr<signal> work_queue::tail_signal() {
  const lock held(mutex_);
  return signal_of(last());
}

std::shared_ptr<signal> work_queue::landing_signal(ticket t) {
  const lock held(mutex_);
  return signal_of(t);
}

std::shared_ptr<signal> work_queue::signal_of(ticket t) {
  if (steps_.empty() && !head_runs_) return nullptr;
  if (landed(t)) return nullptr;
  // A step that is neither queued nor landed is running, or was dropped and lands with that one.
  const bool queued = !steps_.empty() && t >= steps_.front().position;
  auto& raises = queued ? steps_[number(t) - number(steps_.front().position)].raises : head_raises_;
  // One signal serves all waiters for the same step.
  if (raises.empty() || raises.back()->position() != t) {
    raises.push_back(std::make_shared<signal>(weak_from_this(), t));
  }
  return raises.back();
}

void work_queue::abort() {
  std::deque<step> dropped;
  {
    const lock held(mutex_);
    failures_.record_abort(last());
    if (steps_.empty()) return;
    dropped.swap(steps_);
    failures_.record_dropped({dropped.front().position, dropped.back().position});
    if (state_ != state::running && state_ != state::in_flight) {
      state_ = state::idle;
      blocking_signal_.reset();
      complete_to(dropped.back().position);
    }
    if (head_runs_) move_signals_to_head(dropped);
  }
  for (step& each : dropped) {
    notifier_.dropped(*each.work, each);
    each.work.reset();
    for (const auto& awaited : each.raises) awaited->raise();
  }
  waiters_.wake();
}

// Marks the step as landed, and all dropped steps behind it.
void work_queue::complete_to(ticket position) {
  const ticket landed_now = std::max(position, failures_.last_dropped());
  os::annotate_release(&completed_);
  completed_.store(number(landed_now), std::memory_order_release);  // read by landed()
}

// A waiter for a dropped step also waits for the steps before it, so the running step raises the
// signals of the dropped ones.
void work_queue::move_signals_to_head(std::deque<step>& dropped) {
  for (step& each : dropped) {
    std::move(each.raises.begin(), each.raises.end(), std::back_inserter(head_raises_));
    each.raises.clear();
  }
}

status work_queue::failure_of(ticket t) const {
  const lock held(mutex_);
  return failures_.failure_of(t);
}

status work_queue::error() const {
  if (!any_failures_.load(std::memory_order_relaxed)) return {};  // ordered by completed_
  const lock held(mutex_);
  return failures_.error();
}

void work_queue::clear_error() {
  const auto [group, seen] = [&] {
    const lock held(mutex_);
    return failures_.clear();
  }();
  if (group) group->resume(seen);
}

void work_queue::forget_error() {
  const lock held(mutex_);
  failures_.forget_error();
}

void work_queue::stop_after_failure(bool stops) {
  if (stops) {
    own_stop_group();
    return;
  }
  const lock held(mutex_);
  failures_.leave_group();
}

void work_queue::stop_with(std::shared_ptr<stop_group> group) {
  const lock held(mutex_);
  if (failures_.group() != group) failures_.join(std::move(group), weak_from_this());
}

std::shared_ptr<stop_group> work_queue::own_stop_group() {
  const lock held(mutex_);
  if (failures_.group() == nullptr) {
    failures_.join(std::make_shared<stop_group>(), weak_from_this());
  }
  return failures_.group();
}

bool work_queue::head_cancelled() const {
  const lock held(mutex_);
  return failures_.cancels(head_.position);
}

void work_queue::skip_pending(const stop_group& group, const stop_group::stop& ended) {
  const lock held(mutex_);
  failures_.skip_through(group, ended, last());
}

}  // namespace convoy
