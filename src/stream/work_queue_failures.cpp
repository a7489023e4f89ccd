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
    latest_failure_at_ = head_.position;
    if (group_ != nullptr) last_seen_stop_ = group_->stop_all(outcome).number;
    record_error(outcome);
  }
  if (context_.failure_observer == nullptr) return;
  context_.failure_observer->landed(observed(work, head_), outcome);
}

void work_queue::record_error(const status& outcome) {
  if (!error_.ok()) return;
  error_ = outcome;
  error_at_ = head_.position;
  has_failures_.store(true, std::memory_order_relaxed);  // ordered by completed_
}

void work_queue::record_skipped() {
  if (number(skipped_.last) + 1 != number(head_.position)) skipped_.first = head_.position;
  skipped_.last = head_.position;
  if (head_.position <= aborted_) record_given_up();
  if (group_ == nullptr) return;  // it went on meanwhile
  const stop_group::stop by = head_.position <= skip_through_ ? ended_stop_ : group_->latest();
  if (by.number <= last_seen_stop_) return;
  last_seen_stop_ = by.number;
  record_error(by.error);
}

// Whoever waits for a step that gave up is answered as if it had been dropped.
void work_queue::record_given_up() {
  const auto begins_later = [](ticket t, const ticket_range& each) { return t < each.first; };
  const auto behind =
      std::upper_bound(dropped_.begin(), dropped_.end(), head_.position, begins_later);
  dropped_.insert(behind, {head_.position, head_.position});
  has_failures_.store(true, std::memory_order_relaxed);  // ordered by completed_
}

status work_queue::failure_of(ticket t) const {
  const lock held(mutex_);
  if (was_dropped(t) || skipped_.holds(t)) return {errc::aborted};
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
    known = last_seen_stop_;
  }
  if (group) group->resume(known);
}

void work_queue::disown_error() {
  const lock held(mutex_);
  error_ = {};
  error_at_ = {};
}

void work_queue::stop_after_failure(bool stops) {
  if (stops) {
    own_stop_group();
    return;
  }
  const lock held(mutex_);
  group_ = nullptr;
  skip_through_ = {};
}

void work_queue::stop_with(std::shared_ptr<stop_group> group) {
  const lock held(mutex_);
  if (group_ != group) join(std::move(group));
}

std::shared_ptr<stop_group> work_queue::own_stop_group() {
  const lock held(mutex_);
  if (group_ == nullptr) join(std::make_shared<stop_group>());
  return group_;
}

void work_queue::join(std::shared_ptr<stop_group> group) {
  group_ = std::move(group);
  group_->add(weak_from_this());
  skip_through_ = {};
  last_seen_stop_ = error_.ok() ? 0 : group_->stop_all(error_).number;
}

bool work_queue::head_cancelled() const {
  const lock held(mutex_);
  return head_.position <= aborted_ || skips(head_.position);
}

void work_queue::skip_pending(const stop_group& by, const stop_group::stop& ending) {
  const lock held(mutex_);
  if (group_.get() != &by) return;
  skip_through_ = last();
  ended_stop_ = ending;
}

}  // namespace convoy
