#include "stream/device_queues.hpp"

#include <utility>

namespace convoy {
namespace {

void wait_for_tail(step& next, work_queue& other) {
  if (other.empty()) return;
  if (auto tail = other.tail_signal()) next.waits.push_back(std::move(tail));
}

}  // namespace

device_queues::device_queues(queue_context context)
    : legacy_(std::make_shared<work_queue>(context)) {
  members_.push_back({legacy_, stream_role::legacy});
}

std::shared_ptr<work_queue> device_queues::make_queue(stream_role role, queue_context context) {
  auto made = std::make_shared<work_queue>(context);
  const lock held(mutex_);
  forget_abandoned();
  members_.push_back({made, role});
  return made;
}

ticket device_queues::submit(const std::shared_ptr<work_queue>& queue, stream_role role,
                             step next) {
  if (role == stream_role::legacy) {
    legacy_used_.store(true, std::memory_order_seq_cst);
    // Held during the push: a later submission to a blocking stream must find this step.
    const lock held(mutex_);
    for (const member& each : members_) {
      if (each.role == stream_role::blocking) wait_for_tail(next, *each.queue);
    }
    return queue->push(std::move(next));
  }
  if (role == stream_role::blocking && legacy_used_.load(std::memory_order_seq_cst)) {
    // Held during the push: of two simultaneous submissions, one waits for the other.
    const lock held(mutex_);
    wait_for_tail(next, *legacy_);
    return queue->push(std::move(next));
  }
  return queue->push(std::move(next));
}

ticket device_queues::try_run(work_queue& queue, stream_role role, action& work,
                              const submitting_call* call) {
  const bool alone =
      role == stream_role::non_blocking ||
      (role == stream_role::blocking && !legacy_used_.load(std::memory_order_seq_cst));
  return alone ? queue.try_run(work, call) : ticket{};
}

std::vector<stream_position> device_queues::tails() {
  auto all = ends();
  std::erase_if(all, [](const stream_position& p) { return p.queue->landed(p.position); });
  return all;
}

template <class Wanted>
std::vector<stream_position> device_queues::ends_of(const Wanted& wanted) {
  std::vector<stream_position> found;
  const lock held(mutex_);
  forget_abandoned();
  for (const member& each : members_) {
    if (wanted(each.role)) found.push_back({each.queue, each.queue->last()});
  }
  return found;
}

std::vector<stream_position> device_queues::ends() {
  return ends_of([](stream_role) { return true; });
}

std::vector<stream_position> device_queues::ordered_ends() {
  return ends_of([](stream_role role) { return role != stream_role::non_blocking; });
}

void device_queues::forget_abandoned() {
  std::erase_if(members_,
                [](const member& m) { return m.queue.use_count() == 1 && m.queue->empty(); });
}

}  // namespace convoy
