// What a queue remembers of steps that failed, were dropped or were skipped, and which steps it
// skips because of them.
//
// The queue guards it with its own lock.
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

// Both ends included; ticket 0 is no step's.
struct ticket_range {
  ticket first = {};
  ticket last = {};
  [[nodiscard]] bool contains(ticket t) const noexcept { return first <= t && t <= last; }
};

class queue_failures {
 public:
  // Sets `any` once anything failed or was dropped, so that the queue can look without its lock. A
  // thread that has seen a step as landed sees what was recorded about it.
  explicit queue_failures(std::atomic<bool>& any) : any_(any) {}

  // The step failed: the first error is kept until clear(), and the group stops.
  void record_failure(ticket position, const status& error);
  void record_skipped(ticket position);
  void record_dropped(ticket_range steps);

  // Steps up to here were submitted when the queue was aborted.
  void record_abort(ticket last) noexcept { aborted_ = last; }

  [[nodiscard]] const status& error() const noexcept { return error_; }

  // What a waiter for this step learns: aborted when it was dropped, else the queue's error when
  // that came no later.
  [[nodiscard]] status outcome_of(ticket t) const;

  // How that very step failed, as long as no later one has; ok when it did not.
  [[nodiscard]] status failure_of(ticket t) const;

  // The last dropped step, which lands with the one under way; ticket 0 when there is none.
  [[nodiscard]] ticket last_dropped() const noexcept {
    return dropped_.empty() ? ticket{} : dropped_.back().last;
  }

  // Forgets the error. The group to resume, and the last of its stops that this queue has seen.
  std::pair<std::shared_ptr<stop_group>, std::uint64_t> clear();
  void forget_error() noexcept;

  // The group the queue stops with; null for a queue that goes on after failures.
  [[nodiscard]] const std::shared_ptr<stop_group>& group() const noexcept { return group_; }
  void join(std::shared_ptr<stop_group> group, std::weak_ptr<work_queue> self);
  void leave_group() noexcept;

  // The step is not to run.
  [[nodiscard]] bool skips(ticket t) const noexcept {
    return group_ != nullptr && (t <= skip_through_ || group_->stopped());
  }
  // The step, which is under way, may give up.
  [[nodiscard]] bool cancels(ticket t) const noexcept { return t <= aborted_ || skips(t); }

  // The group resumes: what was submitted up to `last` is skipped all the same.
  void skip_through(const stop_group& by, const stop_group::stop& ended, ticket last);

 private:
  void keep_first_error(ticket position, const status& error);
  void record_given_up(ticket position);
  [[nodiscard]] bool was_dropped(ticket t) const;

  std::atomic<bool>& any_;
  status error_;
  ticket error_position_ = {};
  status latest_failure_;
  ticket latest_failure_position_ = {};
  std::vector<ticket_range> dropped_;  // in order
  ticket aborted_ = {};

  std::shared_ptr<stop_group> group_;
  ticket skip_through_ = {};
  stop_group::stop ended_stop_;  // the reason for skip_through_
  std::uint64_t last_seen_stop_ =
      0;                  // the latest stop of the group that this queue has an error of
  ticket_range skipped_;  // the latest ones in a row
};

}  // namespace convoy
