#include "stream/work_queue.hpp"

#include <algorithm>
#include <climits>
#include <iterator>
#include <utility>

namespace convoy {
namespace {

constexpr ticket no_limit{UINT64_MAX};

// A worker moves on after so many steps, so that one busy stream does not starve the others.
constexpr int steps_per_turn = 32;

// Copies this large are announced to sleeping waiters, whose hands are worth the wake-up.
constexpr std::size_t worth_waking = std::size_t{1} << 20;

// How long a waiter looks around before it sleeps: about what a wake-up would cost it.
constexpr auto patience = std::chrono::microseconds(50);

// How far a waiter follows a chain of streams that wait for each other.
constexpr int longest_chain = 64;

}  // namespace

ticket work_queue::push(step next) {
  const std::size_t bytes = next.work->summary().bytes;
  observer* const watching = watcher();
  bool post = false;
  const ticket given = watching == nullptr ? enqueue(std::move(next), post)
                                           : enqueue_watched(std::move(next), post, *watching);
  if (!post) return given;
  if (listed.load(std::memory_order_acquire)) {  // stored by the executor
    around_.runs_on.more_work(bytes);
  } else {
    around_.runs_on.post(shared_from_this(), bytes);
  }
  return given;
}

ticket work_queue::enqueue(step&& next, bool& post) {
  const lock held(mutex_);
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  next.at = given;
  for (const auto& each : next.raises) each->bind(given);
  steps_.push_back(std::move(next));
  submitted_.store(number(given), std::memory_order_release);  // read by last()
  post = state_ == state::idle || state_ == state::ready;
  if (state_ == state::idle) state_ = state::ready;
  return given;
}

step_place work_queue::place_of(const action& work, const step& one) const {
  return {.stream = around_.number,
          .at = one.at,
          .handle = handle_,
          .what = work.summary(),
          .device = around_.device,
          .submitted = one.submitted};
}

ticket work_queue::enqueue_watched(step&& next, bool& post, observer& by) {
  next.submitted = os::clock::now();
  step_place place = place_of(*next.work, next);
  std::vector<step_point> awaits;
  for (const auto& each : next.waits) {
    if (const auto source = each->source()) awaits.push_back({source->around_.number, each->at()});
  }
  place.awaits = awaits;
  place.at = enqueue(std::move(next), post);
  by.submitted(place);
  return place.at;
}

ticket work_queue::try_run(action& work) {
  if (watcher() == nullptr && work.is_brief()) {
    if (const auto answer = run_locked(work)) return *answer;
  }
  ticket given;
  {
    const lock held(mutex_);
    if (state_ != state::idle) return {};
    given = claim_next();
    head_is_passed_over_ = passes_over(given);
  }
  if (observer* const watching = watcher()) {
    head_.submitted = os::clock::now();
    watching->submitted(place_of(work, head_));
  }
  const turn mine{thread_kind::waiter, given, 1, {}};
  drive(mine, run_claimed(work, mine));
  return given;
}

// Makes the next ticket that of a step under way, which is nowhere but with the claimant.
ticket work_queue::claim_next() {
  const ticket given{submitted_.load(std::memory_order_relaxed) + 1};
  state_ = state::running;
  head_.at = given;
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
  const turn mine{thread_kind::waiter, given, 1, {}};
  drive(mine, land(work, outcome, mine));
  return given;
}

void work_queue::run() {
  const turn mine{thread_kind::worker, no_limit, steps_per_turn, {}};
  drive(mine, claim(mine));
}

work_queue::verdict work_queue::claim(const turn& mine) {
  const lock held(mutex_);
  if (state_ != state::ready) return verdict::not_mine;
  state_ = state::running;
  return next(mine);
}

// Runs steps of the claimed queue as far as the turn goes, then gives the claim up. True when any
// step ran.
bool work_queue::drive(turn mine, verdict what) {
  const bool runs = what == verdict::run_head;
  while (what == verdict::run_head) {
    --mine.steps;
    what = run_head(mine);
  }
  switch (what) {
    case verdict::run_head:
    case verdict::not_mine: break;
    case verdict::give_up_claim: announce(); break;
    case verdict::yield: around_.runs_on.post(shared_from_this(), 0); break;
    case verdict::hand_over:
      around_.runs_on.call([self = shared_from_this()] { self->drive_on_host_thread(); });
      break;
  }
  return runs;
}

void work_queue::drive_on_host_thread() {
  const turn mine{thread_kind::host, no_limit, steps_per_turn, {}};
  const auto first = [&] {
    const lock held(mutex_);
    return next(mine);
  };
  drive(mine, first());
}

// What the claimant does now; takes the head when it is to run.
work_queue::verdict work_queue::next(const turn& mine) {
  if (steps_.empty()) {
    state_ = state::idle;
    complete(ticket{completed_.load(std::memory_order_relaxed)});
    return verdict::give_up_claim;
  }
  if (blocked_at_head()) return verdict::give_up_claim;
  if (over(mine)) {
    state_ = state::ready;
    return verdict::yield;
  }
  const bool to_pass_over = passes_over(steps_.front().at);
  const bool blocks = steps_.front().work->may_block() && !to_pass_over;
  if (blocks && mine.on != thread_kind::host) return verdict::hand_over;
  take_head(to_pass_over);
  return verdict::run_head;
}

bool work_queue::blocked_at_head() {
  for (const auto& awaited : steps_.front().waits) {
    if (awaited->raised() || !awaited->subscribe(shared_from_this())) continue;
    state_ = state::blocked;
    obstacle_ = awaited;
    return true;
  }
  return false;
}

bool work_queue::over(const turn& mine) const {
  return mine.steps == 0 || completed_.load(std::memory_order_relaxed) >= number(mine.last) ||
         (mine.until && os::clock::now() >= *mine.until);
}

void work_queue::take_head(bool to_pass_over) {
  head_ = std::move(steps_.front());
  steps_.pop_front();
  head_raises_ = std::move(head_.raises);
  head_runs_ = true;
  head_is_passed_over_ = to_pass_over;
}

work_queue::verdict work_queue::run_head(const turn& mine) {
  return run_claimed(*head_.work, mine);
}

work_queue::verdict work_queue::run_claimed(action& work, const turn& mine) {
  if (head_is_passed_over_) {
    tell_dropped(work, head_);
    return settle(mine);
  }
  if (work.summary().bytes >= worth_waking) announce();
  observer* const watching = watcher();
  const status outcome = watching == nullptr ? work.run() : run_watched(work, *watching);
  return land(work, outcome, mine);
}

work_queue::verdict work_queue::land(const action& work, const status& outcome, const turn& mine) {
  head_is_passed_over_ = outcome.code == errc::aborted;
  if (!outcome.ok() && !head_is_passed_over_) fail_head(work, outcome);
  return settle(mine);
}

status work_queue::run_watched(action& work, observer& by) const {
  step_place place = place_of(work, head_);
  place.started = os::clock::now();
  by.started(place);
  const status outcome = work.run();
  place.landed = os::clock::now();
  by.landed(place, outcome);
  return outcome;
}

work_queue::verdict work_queue::settle(const turn& mine) {
  head_.work.reset();
  head_.waits.clear();
  std::vector<std::shared_ptr<signal>> raises;
  verdict following;
  {
    const lock held(mutex_);
    if (head_is_passed_over_) note_passed_over();
    head_runs_ = false;
    raises = std::exchange(head_raises_, {});
    complete(head_.at);
    following = next(mine);
  }
  for (const auto& each : raises) each->raise();
  if (following != verdict::give_up_claim) announce();
  return following;
}

void work_queue::resume() {
  {
    const lock held(mutex_);
    if (state_ != state::blocked) return;
    state_ = state::ready;
    obstacle_.reset();
  }
  announce();
  around_.runs_on.post(shared_from_this(), 0);
}

void work_queue::announce() {
  // Sequentially consistent with the sleeper in rest(): it counts itself before it looks at news_.
  news_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) os::wake_all(news_);
}

status work_queue::wait(ticket last, os::deadline until) {
  while (!landed(last)) {
    const std::uint32_t seen = news_.load(std::memory_order_acquire);
    if (lend_hand({thread_kind::waiter, last, INT_MAX, until}, 0) || landed(last)) continue;
    if (around_.runs_on.assist()) continue;
    if (until && os::clock::now() >= *until) return {errc::timed_out};
    rest(seen, until);
  }
  return outcome_of(last);
}

status work_queue::drain(ticket last, os::deadline until) {
  return landed(last) ? error() : wait(last, until);
}

void work_queue::rest(std::uint32_t seen, os::deadline until) {
  const auto enough = os::clock::now() + patience;
  while (news_.load(std::memory_order_acquire) == seen) {
    for (int i = 0; i != 32; ++i) os::relax();
    if (around_.runs_on.assist()) return;
    if (os::clock::now() < enough) continue;
    sleepers_.fetch_add(1, std::memory_order_seq_cst);  // read by announce()
    os::sleep_while(news_, seen, until);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
}

// Takes a turn here, or in the stream that holds this one up. True when any step ran.
bool work_queue::lend_hand(const turn& mine, int depth) {
  if (drive(mine, claim(mine))) return true;
  return depth < longest_chain && help_source(mine.until, depth + 1);
}

bool work_queue::help_source(os::deadline until, int depth) {
  std::shared_ptr<signal> obstacle;
  {
    const lock held(mutex_);
    obstacle = obstacle_;
  }
  if (!obstacle) return false;
  const auto source = obstacle->source();
  if (!source || source.get() == this) return false;
  return source->lend_hand({thread_kind::waiter, obstacle->at(), INT_MAX, until}, depth);
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
  const bool queued = !steps_.empty() && t >= steps_.front().at;
  auto& raises = queued ? steps_[number(t) - number(steps_.front().at)].raises : head_raises_;
  // One signal serves everyone who asks about the same step.
  if (raises.empty() || raises.back()->at() != t) {
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
    dropped_.push_back({dropped.front().at, dropped.back().at});
    troubled_.store(true, std::memory_order_relaxed);  // ordered by completed_
    if (state_ != state::running) {
      state_ = state::idle;
      obstacle_.reset();
      complete(dropped.back().at);
    }
    if (head_runs_) leave_signals_to_head(dropped);
  }
  for (step& each : dropped) {
    tell_dropped(*each.work, each);
    each.work.reset();
    for (const auto& awaited : each.raises) awaited->raise();
  }
  announce();
}

void work_queue::tell_dropped(const action& work, const step& one) const {
  observer* const watching = watcher();
  if (watching == nullptr) return;
  step_place place = place_of(work, one);
  place.landed = os::clock::now();
  watching->landed(place, {errc::aborted});
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
void work_queue::leave_signals_to_head(std::deque<step>& dropped) {
  for (step& each : dropped) {
    std::move(each.raises.begin(), each.raises.end(), std::back_inserter(head_raises_));
    each.raises.clear();
  }
}

status work_queue::outcome_of(ticket t) const {
  if (!troubled_.load(std::memory_order_relaxed)) return {};
  const lock held(mutex_);
  if (was_dropped(t)) return {errc::aborted};
  return error_at_ <= t ? error_ : status{};
}

status work_queue::error() const {
  if (!troubled_.load(std::memory_order_relaxed)) return {};  // ordered by completed_
  const lock held(mutex_);
  return error_;
}

}  // namespace convoy
