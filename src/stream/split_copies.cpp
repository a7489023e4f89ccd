#include "stream/split_copies.hpp"

#include <cstdint>

namespace convoy {

split_copies::split_copies(copy_list&& whole, std::vector<port_share> shares)
    : whole_(std::move(whole)), shares_(std::move(shares)), pending_(shares_.size() + 1) {
  if (whole_.copies.data() == nullptr) whole_.work.copies = {&whole_.single, 1};
  for (std::size_t i = 0; i != shares_.size(); ++i) completions_.emplace_back(*this, i);
  set_may_fault(whole_.may_fault);
}

started_work split_copies::start(completion& done) {
  done_ = &done;
  for (std::size_t i = 0; i != shares_.size(); ++i) {
    const port_share& each = shares_[i];
    const started_work outcome = each.port->start({each.copies, each.totals}, completions_[i]);
    if (outcome) finish(i, *outcome);
  }
  // `pending_` starts at one more than the shares, so that none is the last before all are started.
  if (!finish_one()) return {};
  return outcome();
}

bool split_copies::finish(std::size_t share, status outcome) {
  if (!outcome.ok()) {
    if (outcome.item) outcome.item = shares_[share].items[*outcome.item];
    const lock held(mutex_);
    const auto item_of = [](const status& s) { return s.item.value_or(SIZE_MAX); };
    if (failure_.ok() || item_of(outcome) < item_of(failure_)) failure_ = outcome;
  }
  return finish_one();
}

void split_copies::finish_later(std::size_t share, const status& outcome) {
  if (finish(share, outcome)) done_->complete(this->outcome());
}

status split_copies::outcome() {
  const lock held(mutex_);
  return failure_;
}

}  // namespace convoy
