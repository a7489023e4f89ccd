#include "stream/queue_failures.hpp"

#include <algorithm>

namespace convoy {

void queue_failures::record_failure(ticket position, const status& error) {
  latest_failure_ = error;
  latest_failure_position_ = position;
  if (group_ != nullptr) last_seen_stop_ = group_->stop_all(error).number;
  keep_first_error(position, error);
}

void queue_failures::keep_first_error(ticket position, const status& error) {
  if (!error_.ok()) return;
  error_ = error;
  error_position_ = position;
  any_failures_.store(true, std::memory_order_relaxed);  // ordered by the completed position
}

void queue_failures::record_skipped(ticket position) {
  if (number(skipped_.last) + 1 != number(position)) skipped_.first = position;
  skipped_.last = position;
  if (position <= aborted_) record_cancelled(position);
  if (group_ == nullptr) return;  // the queue left its group meanwhile
  const stop_group::stop reason = position <= skip_through_ ? ended_stop_ : group_->latest();
  if (reason.number <= last_seen_stop_) return;
  last_seen_stop_ = reason.number;
  keep_first_error(position, reason.error);
}

// A step that an abort cancelled counts as dropped.
void queue_failures::record_cancelled(ticket position) {
  const auto begins_later = [](ticket t, const ticket_range& each) { return t < each.first; };
  const auto behind = std::upper_bound(dropped_.begin(), dropped_.end(), position, begins_later);
  dropped_.insert(behind, {position, position});
  any_failures_.store(true, std::memory_order_relaxed);  // ordered by the completed position
}

void queue_failures::record_dropped(ticket_range steps) {
  dropped_.push_back(steps);
  any_failures_.store(true, std::memory_order_relaxed);  // ordered by the completed position
}

bool queue_failures::was_dropped(ticket t) const {
  return std::any_of(dropped_.begin(), dropped_.end(),
                     [t](const ticket_range& each) { return each.contains(t); });
}

status queue_failures::outcome_of(ticket t) const {
  if (was_dropped(t)) return {errc::aborted};
  return error_position_ <= t ? error_ : status{};
}

status queue_failures::failure_of(ticket t) const {
  if (was_dropped(t) || skipped_.contains(t)) return {errc::aborted};
  return latest_failure_position_ == t ? latest_failure_ : status{};
}

std::pair<std::shared_ptr<stop_group>, std::uint64_t> queue_failures::clear() {
  forget_error();
  return {group_, last_seen_stop_};
}

void queue_failures::forget_error() noexcept {
  error_ = {};
  error_position_ = {};
}

void queue_failures::join(std::shared_ptr<stop_group> group, std::weak_ptr<work_queue> self) {
  group_ = std::move(group);
  group_->add(std::move(self));
  skip_through_ = {};
  last_seen_stop_ = error_.ok() ? 0 : group_->stop_all(error_).number;
}

void queue_failures::leave_group() noexcept {
  group_ = nullptr;
  skip_through_ = {};
}

void queue_failures::skip_through(const stop_group& group, const stop_group::stop& ended,
                                  ticket last) {
  if (group_.get() != &group) return;
  skip_through_ = last;
  ended_stop_ = ended;
}

}  // namespace convoy
