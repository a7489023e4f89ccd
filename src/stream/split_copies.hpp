// The copies of one batch, divided among the ports of several devices.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "stream/actions.hpp"

namespace convoy {

// The copies of one port and their item numbers in the batch, in rising order.
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

// Starts all shares and finishes with the last one. The outcome is the failure with the lowest item
// number.
class split_copies final : public action {
 public:
  split_copies(copy_list&& whole, std::vector<port_share> shares);
  started_work start(completion& done) override;
  [[nodiscard]] step_summary summary() const noexcept override { return whole_.summary(); }

 private:
  struct share_completion final : completion {
    share_completion(split_copies& owner, std::size_t index) : step(owner), share(index) {}
    void complete(const status& outcome) override { step.finish_later(share, outcome); }

    split_copies& step;
    std::size_t share;
  };

  // True for the last share.
  bool finish(std::size_t share, status outcome);
  bool finish_one() noexcept { return pending_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  void finish_later(std::size_t share, const status& outcome);
  status outcome();

  copy_list whole_;  // owns staged sources; observers see it
  std::vector<port_share> shares_;
  std::deque<share_completion> completions_;
  completion* done_ = nullptr;
  std::atomic<std::size_t> pending_;

  mutex mutex_;
  status failure_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
