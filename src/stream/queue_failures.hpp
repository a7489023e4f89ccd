// The failures of one queue: steps that failed, were dropped by an abort or were skipped, and the
// steps to skip next. Guarded by the lock of the queue.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "stream/stop_group.hpp"

namespace convoy {

class work_queue;

// Inclusive at both ends. Ticket 0 belongs to no step.
struct ticket_range {
  ticket first = {};
  ticket last = {};
  [[nodiscard]] bool contains(ticket t) const noexcept { return first <= t && t <= last; }
};

class queue_failures {
 public:
  // Sets `any_failures` once a step failed or was dropped, so that the queue can check without its
  // lock. A thread that sees a step as landed also sees `any_failures`.
  explicit queue_failures(std::atomic<bool>& any_failures) : any_failures_(any_failures) {}

  // Records the failure and stops the group. The first error is kept until clear().
  void record_failure(ticket position, const status& error);
  void record_skipped(ticket position);
  void record_dropped(ticket_range steps);

  // The queue was aborted; `last` was the last submitted step.
  void record_abort(ticket last) noexcept { aborted_ = last; }

  [[nodiscard]] const status& error() const noexcept { return error_; }

  // The outcome for a waiter: aborted when the step was dropped, else the first error of the queue
  // if it occurred at or before the step.
  [[nodiscard]] status outcome_of(ticket t) const;

  // The failure of this step, as long as no later step has failed; ok otherwise.
  [[nodiscard]] status failure_of(ticket t) const;

  // The last dropped step, which lands with the running step; ticket 0 when there is none.
  [[nodiscard]] ticket last_dropped() const noexcept {
    return dropped_.empty() ? ticket{} : dropped_.back().last;
  }

  // Clears the error. Returns the group to resume and the last of its stops that this queue has
  // seen.
  std::pair<std::shared_ptr<stop_group>, std::uint64_t> clear();
  void forget_error() noexcept;

  // The group that the queue stops with; null when it continues after failures.
  [[nodiscard]] const std::shared_ptr<stop_group>& group() const noexcept { return group_; }
  void join(std::shared_ptr<stop_group> group, std::weak_ptr<work_queue> self);
  void leave_group() noexcept;

  // True when the step must not run.
  [[nodiscard]] bool skips(ticket t) const noexcept {
    return group_ != nullptr && (t <= skip_through_ || group_->stopped());
  }
  // True when the running step may end early and answer aborted.
  [[nodiscard]] bool cancels(ticket t) const noexcept { return t <= aborted_ || skips(t); }

  // The group resumes; steps submitted up to `last` are still skipped.
  void skip_through(const stop_group& group, const stop_group::stop& ended, ticket last);

 private:
  void keep_first_error(ticket position, const status& error);
  void record_cancelled(ticket position);
  [[nodiscard]] bool was_dropped(ticket t) const;

  std::atomic<bool>& any_failures_;
  status error_;
  ticket error_position_ = {};
  status latest_failure_;
  ticket latest_failure_position_ = {};
  std::vector<ticket_range> dropped_;  // in order
  ticket aborted_ = {};

  std::shared_ptr<stop_group> group_;
  ticket skip_through_ = {};
  stop_group::stop ended_stop_;       // the reason for skip_through_
  std::uint64_t last_seen_stop_ = 0;  // the latest stop of the group whose error this queue has
  ticket_range skipped_;              // the latest contiguous range
};

}  // namespace convoy
