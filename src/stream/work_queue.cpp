#include "stream/work_queue.hpp"

#include <algorithm>
#include <climits>
#include <iterator>
#include <utility>

namespace convoy {
namespace {

constexpr ticket no_limit{UINT64_MAX};

// A worker moves on after so many steps, so that one busy stream does not starve the others.
constexpr int steps_per_claim = 32;

// Copies this large are announced to sleeping waiters, whose hands are worth the wake-up.
constexpr std::size_t wake_waiters_from = std::size_t{1} << 20;

// How long a waiter looks around before it sleeps: about what a wake-up would cost it.
constexpr auto spin_time = std::chrono::microseconds(50);

// How far a waiter follows a chain of streams that wait for each other.
constexpr int max_wait_chain = 64;

}  // namespace

ticket work_queue::push(step next) {
  const std::size_t bytes = next.work->summary().bytes;
  observer* const current = current_observer();
  bool post = false;
  const ticket given = current == nullptr ? enqueue(std::move(next), post)
                                          : enqueue_observed(std::move(next), post, *current);
  if (!post) return given;
  if (posted.load(std::memory_order_acquire)) {  // stored by the executor
    context_.run_executor.more_work(bytes);
  } else {
    context_.run_executor.post(shared_from_this(), bytes);
  }
  return given;
}

ticket work_queue::enqueue(step&& next, bool& post) {
  const lock held(mutex_);
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  next.position = given;
  for (const auto& each : next.raises) each->bind(given);
  steps_.push_back(std::move(next));
  submitted_.store(number(given), std::memory_order_release);  // read by last()
  post = state_ == state::idle || state_ == state::ready;
  if (state_ == state::idle) state_ = state::ready;
  return given;
}

observed_step work_queue::observed(const action& work, const step& one) const {
  return {.stream = context_.number,
          .position = one.position,
          .handle = handle_,
          .summary = work.summary(),
          .device = context_.device,
          .submitted = one.submitted};
}

ticket work_queue::enqueue_observed(step&& next, bool& post, observer& by) {
  next.submitted = os::clock::now();
  observed_step seen_step = observed(*next.work, next);
  std::vector<step_position> awaits;
  for (const auto& each : next.waits) {
    if (const auto source = each->source())
      awaits.push_back({source->context_.number, each->position()});
  }
  seen_step.waits_for = awaits;
  seen_step.position = enqueue(std::move(next), post);
  by.submitted(seen_step);
  return seen_step.position;
}

ticket work_queue::try_run(action& work) {
  if (current_observer() == nullptr && work.is_brief()) {
    if (const auto answer = run_locked(work)) return *answer;
  }
  ticket given;
  {
    const lock held(mutex_);
    if (state_ != state::idle) return {};
    given = claim_next();
    head_skipped_ = skips(given);
  }
  if (observer* const current = current_observer()) {
    head_.submitted = os::clock::now();
    current->submitted(observed(work, head_));
  }
  const run_budget budget{thread_kind::waiter, given, 1, {}};
  drive(budget, run_claimed(work, budget));
  return given;
}

// Makes the next ticket that of a step under way, which is nowhere but with the claimant.
ticket work_queue::claim_next() {
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  state_ = state::running;
  head_.position = given;
  head_.submitted = {};
  head_runs_ = true;
  submitted_.store(number(given), std::memory_order_release);  // read by last()
  return given;
}

// The answer of try_run(), or none when the lock is taken or the queue may have to stop. Holds the
// lock meanwhile, so that nobody can begin to wait for the step, who would have to be told of its
// end.
std::optional<ticket> work_queue::run_locked(action& work) {
  if (!mutex_.try_lock_briefly()) return {};
  const bool busy = state_ != state::idle;
  if (busy || group_ != nullptr) {
    mutex_.unlock_briefly();
    return busy ? std::optional(ticket{}) : std::nullopt;
  }
  const ticket given = claim_next();
  const status outcome = work.run();
  if (outcome.ok()) {
    state_ = state::idle;
    head_runs_ = false;
    complete(given);
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

// Runs steps of the claimed queue as far as the turn goes, then gives the claim up. True when any
// step ran.
bool work_queue::drive(run_budget budget, next_move move) {
  const bool runs = move == next_move::run_head;
  while (move == next_move::run_head) {
    --budget.steps;
    move = run_head(budget);
  }
  switch (move) {
    case next_move::run_head:
    case next_move::not_claimed: break;
    case next_move::give_up_claim: wake_waiters(); break;
    case next_move::yield: context_.run_executor.post(shared_from_this(), 0); break;
    case next_move::hand_over:
      context_.run_executor.call([self = shared_from_this()] { self->drive_on_host_thread(); });
      break;
  }
  return runs;
}

void work_queue::drive_on_host_thread() {
  const run_budget budget{thread_kind::host, no_limit, steps_per_claim, {}};
  const auto first = [&] {
    const lock held(mutex_);
    return next(budget);
  };
  drive(budget, first());
}

// What the claimant does now; takes the head when it is to run.
work_queue::next_move work_queue::next(const run_budget& budget) {
  if (steps_.empty()) {
    state_ = state::idle;
    complete(ticket{completed_.load(std::memory_order_relaxed)});
    return next_move::give_up_claim;
  }
  if (blocked_at_head()) return next_move::give_up_claim;
  if (over(budget)) {
    state_ = state::ready;
    return next_move::yield;
  }
  const bool to_skip = skips(steps_.front().position);
  const bool blocks = steps_.front().work->may_block() && !to_skip;
  if (blocks && budget.on != thread_kind::host) return next_move::hand_over;
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

bool work_queue::over(const run_budget& budget) const {
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

work_queue::next_move work_queue::run_head(const run_budget& budget) {
  return run_claimed(*head_.work, budget);
}

work_queue::next_move work_queue::run_claimed(action& work, const run_budget& budget) {
  if (head_skipped_) {
    notify_dropped(work, head_);
    return finish_step(budget);
  }
  if (work.summary().bytes >= wake_waiters_from) wake_waiters();
  observer* const current = current_observer();
  const status outcome = current == nullptr ? work.run() : run_observed(work, *current);
  return record_outcome(work, outcome, budget);
}

work_queue::next_move work_queue::record_outcome(const action& work, const status& outcome,
                                                 const run_budget& budget) {
  head_skipped_ = outcome.code == errc::aborted;
  if (!outcome.ok() && !head_skipped_) fail_head(work, outcome);
  return finish_step(budget);
}

status work_queue::run_observed(action& work, observer& by) const {
  observed_step seen_step = observed(work, head_);
  seen_step.started = os::clock::now();
  by.started(seen_step);
  const status outcome = work.run();
  seen_step.landed = os::clock::now();
  by.landed(seen_step, outcome);
  return outcome;
}

work_queue::next_move work_queue::finish_step(const run_budget& budget) {
  head_.work.reset();
  head_.waits.clear();
  std::vector<std::shared_ptr<signal>> raises;
  next_move following;
  {
    const lock held(mutex_);
    if (head_skipped_) record_skipped();
    head_runs_ = false;
    raises = std::exchange(head_raises_, {});
    complete(head_.position);
    following = next(budget);
  }
  for (const auto& each : raises) each->raise();
  if (following != next_move::give_up_claim) wake_waiters();
  return following;
}

void work_queue::resume() {
  {
    const lock held(mutex_);
    if (state_ != state::blocked) return;
    state_ = state::ready;
    blocking_signal_.reset();
  }
  wake_waiters();
  context_.run_executor.post(shared_from_this(), 0);
}

void work_queue::wake_waiters() {
  // Sequentially consistent with the sleeper in spin_then_sleep(): it counts itself before it looks
  // at news_.
  wake_epoch_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) os::wake_all(wake_epoch_);
}

status work_queue::wait(ticket last, os::deadline until) {
  while (!landed(last)) {
    const std::uint32_t seen = wake_epoch_.load(std::memory_order_acquire);
    if (run_as_waiter({thread_kind::waiter, last, INT_MAX, until}, 0) || landed(last)) continue;
    if (context_.run_executor.assist()) continue;
    if (until && os::clock::now() >= *until) return {errc::timed_out};
    spin_then_sleep(seen, until);
  }
  return outcome_of(last);
}

status work_queue::drain(ticket last, os::deadline until) {
  return landed(last) ? error() : wait(last, until);
}

void work_queue::spin_then_sleep(std::uint32_t seen, os::deadline until) {
  const auto enough = os::clock::now() + spin_time;
  while (wake_epoch_.load(std::memory_order_acquire) == seen) {
    for (int i = 0; i != 32; ++i) os::relax();
    if (context_.run_executor.assist()) return;
    if (os::clock::now() < enough) continue;
    sleepers_.fetch_add(1, std::memory_order_seq_cst);  // read by wake_waiters()
    os::sleep_while(wake_epoch_, seen, until);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
}

// Takes a turn here, or in the stream that holds this one up. True when any step ran.
bool work_queue::run_as_waiter(const run_budget& budget, int depth) {
  if (drive(budget, claim(budget))) return true;
  return depth < max_wait_chain && help_source(budget.until, depth + 1);
}

bool work_queue::help_source(os::deadline until, int depth) {
  std::shared_ptr<signal> blocking;
  {
    const lock held(mutex_);
    blocking = blocking_signal_;
  }
  if (!blocking) return false;
  const auto source = blocking->source();
  if (!source || source.get() == this) return false;
  return source->run_as_waiter({thread_kind::waiter, blocking->position(), INT_MAX, until}, depth);
}

std::shared_ptr<signal> work_queue::tail_signal() {
  const lock held(mutex_);
  return signal_of(last());
}

std::shared_ptr<signal> work_queue::landing_signal(ticket of) {
  const lock held(mutex_);
  return signal_of(of);
}

std::shared_ptr<signal> work_queue::signal_of(ticket t) {
  if (steps_.empty() && !head_runs_) return nullptr;
  if (landed(t)) return nullptr;
  // What is neither queued nor landed is under way, or was dropped and lands with what is.
  const bool queued = !steps_.empty() && t >= steps_.front().position;
  auto& raises = queued ? steps_[number(t) - number(steps_.front().position)].raises : head_raises_;
  // One signal serves everyone who asks about the same step.
  if (raises.empty() || raises.back()->position() != t) {
    raises.push_back(std::make_shared<signal>(weak_from_this(), t));
  }
  return raises.back();
}

void work_queue::abort() {
  std::deque<step> dropped;
  {
    const lock held(mutex_);
    aborted_ = last();
    if (steps_.empty()) return;
    dropped.swap(steps_);
    dropped_.push_back({dropped.front().position, dropped.back().position});
    has_failures_.store(true, std::memory_order_relaxed);  // ordered by completed_
    if (state_ != state::running) {
      state_ = state::idle;
      blocking_signal_.reset();
      complete(dropped.back().position);
    }
    if (head_runs_) move_signals_to_head(dropped);
  }
  for (step& each : dropped) {
    notify_dropped(*each.work, each);
    each.work.reset();
    for (const auto& awaited : each.raises) awaited->raise();
  }
  wake_waiters();
}

void work_queue::notify_dropped(const action& work, const step& one) const {
  observer* const current = current_observer();
  if (current == nullptr) return;
  observed_step seen_step = observed(work, one);
  seen_step.landed = os::clock::now();
  current->landed(seen_step, {errc::aborted});
}

// The step has landed, and with it what was dropped behind it.
void work_queue::complete(ticket at) {
  const ticket last = dropped_.empty() ? at : std::max(at, dropped_.back().last);
  completed_.store(number(last), std::memory_order_release);  // read by landed()
}

bool work_queue::was_dropped(ticket t) const {
  return std::any_of(dropped_.begin(), dropped_.end(),
                     [t](const ticket_range& each) { return each.holds(t); });
}

// Whoever waits for a dropped step also waits for those before it, so the step under way raises
// their signals.
void work_queue::move_signals_to_head(std::deque<step>& dropped) {
  for (step& each : dropped) {
    std::move(each.raises.begin(), each.raises.end(), std::back_inserter(head_raises_));
    each.raises.clear();
  }
}

status work_queue::outcome_of(ticket t) const {
  if (!has_failures_.load(std::memory_order_relaxed)) return {};
  const lock held(mutex_);
  if (was_dropped(t)) return {errc::aborted};
  return error_at_ <= t ? error_ : status{};
}

status work_queue::error() const {
  if (!has_failures_.load(std::memory_order_relaxed)) return {};  // ordered by completed_
  const lock held(mutex_);
  return error_;
}

}  // namespace convoy
