#include "stream/stop_group.hpp"

#include <utility>

#include "stream/work_queue.hpp"

namespace convoy {

stop_group::stop stop_group::latest() const {
  const lock held(mutex_);
  return latest_;
}

void stop_group::add(std::weak_ptr<work_queue> member) {
  const lock held(mutex_);
  std::erase_if(members_, [](const auto& each) { return each.expired(); });
  members_.push_back(std::move(member));
}

stop_group::stop stop_group::stop_all(const status& error) {
  const lock held(mutex_);
  latest_ = {latest_.number + 1, error};
  if (!stopped()) first_ = latest_.number;
  stopped_.store(true, std::memory_order_release);  // read by stopped()
  return latest_;
}

// Returns no members when the group is not stopped, or `known` is too old.
stop_group::ending stop_group::stop_to_end(std::uint64_t known) const {
  const lock held(mutex_);
  if (!stopped() || known < first_) return {};
  return {latest_, members_};
}

// Every member records the steps to skip before any of them continues. A failure meanwhile keeps
// the group stopped.
void stop_group::resume(std::uint64_t known) {
  const auto [last, members] = stop_to_end(known);
  for (const auto& each : members) {
    if (const auto member = each.lock()) member->skip_pending(*this, last);
  }
  const lock held(mutex_);
  if (latest_.number == last.number) stopped_.store(false, std::memory_order_release);  // stopped()
}

}  // namespace convoy
