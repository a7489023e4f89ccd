// The copies of one batch, shared out to the ports of several devices.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "stream/actions.hpp"

namespace convoy {

// The copies of one port, and which items of the batch they are, in rising order.
struct port_share {
  device_port* port = nullptr;
  std::vector<copy> copies = {};
  std::vector<std::size_t> items = {};
  copy_totals totals = {};

  void add(const copy& c, std::size_t item) {
    copies.push_back(c);
    items.push_back(item);
    totals.add(c);
  }
};

// Starts every share at once and finishes with the last one; answers the failure with the lowest
// item of the batch.
class split_copies final : public action {
 public:
  split_copies(copy_list&& whole, std::vector<port_share> shares);
  started_work start(completion& done) override;
  [[nodiscard]] step_summary summary() const noexcept override { return whole_.summary(); }

 private:
  struct share_completion final : completion {
    share_completion(split_copies& of_step, std::size_t of_share)
        : step(of_step), share(of_share) {}
    void complete(const status& outcome) override { step.finish_later(share, outcome); }

    split_copies& step;
    std::size_t share;
  };

  // True for the last of all.
  bool finish(std::size_t share, status outcome);
  bool finish_one() noexcept { return pending_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  void finish_later(std::size_t share, const status& outcome);
  status outcome();

  copy_list whole_;  // keeps staged sources, and is what observers see
  std::vector<port_share> shares_;
  std::deque<share_completion> completions_;
  completion* done_ = nullptr;
  std::atomic<std::size_t> pending_;

  mutex mutex_;
  status failure_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
