// What a queue keeps of steps that failed, and what it passes over because of them.
#include <algorithm>
#include <utility>

#include "stream/work_queue.hpp"

namespace convoy {

// Whoever waits for the step finds its group stopped and its failure told.
void work_queue::fail_head(const action& work, const status& outcome) {
  {
    const lock held(mutex_);
    latest_failure_ = outcome;
    latest_failure_at_ = head_.at;
    if (group_ != nullptr) stop_noted_ = group_->stop_all(outcome).number;
    keep_error(outcome);
  }
  if (around_.failures_told_to == nullptr) return;
  around_.failures_told_to->landed(place_of(work, head_), outcome);
}

void work_queue::keep_error(const status& outcome) {
  if (!error_.ok()) return;
  error_ = outcome;
  error_at_ = head_.at;
  troubled_.store(true, std::memory_order_relaxed);  // ordered by completed_
}

void work_queue::note_passed_over() {
  if (number(passed_over_.last) + 1 != number(head_.at)) passed_over_.first = head_.at;
  passed_over_.last = head_.at;
  if (head_.at <= aborted_) note_given_up();
  if (group_ == nullptr) return;  // it went on meanwhile
  const stop_group::stop by = head_.at <= not_to_run_ ? ended_stop_ : group_->latest();
  if (by.number <= stop_noted_) return;
  stop_noted_ = by.number;
  keep_error(by.why);
}

// Whoever waits for a step that gave up is answered as if it had been dropped.
void work_queue::note_given_up() {
  const auto begins_later = [](ticket t, const ticket_range& each) { return t < each.first; };
  const auto behind = std::upper_bound(dropped_.begin(), dropped_.end(), head_.at, begins_later);
  dropped_.insert(behind, {head_.at, head_.at});
  troubled_.store(true, std::memory_order_relaxed);  // ordered by completed_
}

status work_queue::failure_of(ticket t) const {
  const lock held(mutex_);
  if (was_dropped(t) || passed_over_.holds(t)) return {errc::aborted};
  return latest_failure_at_ == t ? latest_failure_ : status{};
}

void work_queue::clear_error() {
  std::shared_ptr<stop_group> group;
  std::uint64_t known = 0;
  {
    const lock held(mutex_);
    error_ = {};
    error_at_ = {};
    group = group_;
    known = stop_noted_;
  }
  if (group) group->go_on(known);
}

void work_queue::disown_error() {
  const lock held(mutex_);
  error_ = {};
  error_at_ = {};
}

void work_queue::stop_after_failure(bool stops) {
  if (stops) {
    stops_with();
    return;
  }
  const lock held(mutex_);
  group_ = nullptr;
  not_to_run_ = {};
}

void work_queue::stop_with(std::shared_ptr<stop_group> group) {
  const lock held(mutex_);
  if (group_ != group) join(std::move(group));
}

std::shared_ptr<stop_group> work_queue::stops_with() {
  const lock held(mutex_);
  if (group_ == nullptr) join(std::make_shared<stop_group>());
  return group_;
}

void work_queue::join(std::shared_ptr<stop_group> group) {
  group_ = std::move(group);
  group_->add(weak_from_this());
  not_to_run_ = {};
  stop_noted_ = error_.ok() ? 0 : group_->stop_all(error_).number;
}

bool work_queue::head_may_give_up() const {
  const lock held(mutex_);
  return head_.at <= aborted_ || passes_over(head_.at);
}

void work_queue::pass_over_pending(const stop_group& by, const stop_group::stop& ending) {
  const lock held(mutex_);
  if (group_.get() != &by) return;
  not_to_run_ = last();
  ended_stop_ = ending;
}

}  // namespace convoy
