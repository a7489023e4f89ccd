#include "state/callback_queues.hpp"

#include <utility>

#include "shared/process_lifetime.hpp"

namespace convoy::ascendcl {
namespace {

struct process_queues {
  callback_queues reports;
  callback_queues host_functions;
};

}  // namespace

std::future<void> callback_queue::push(callback_function function, void* argument) {
  queued_callback made{function, argument};
  auto done = made.done.get_future();
  {
    const std::lock_guard held(mutex_);
    if (closed_) {
      made.done.set_value();
      return done;
    }
    pending_.push_back(std::move(made));
  }
  changed_.notify_one();
  return done;
}

std::optional<queued_callback> callback_queue::pop(std::chrono::milliseconds timeout) {
  std::unique_lock held(mutex_);
  const auto ready = [this] { return !pending_.empty() || closed_; };
  if (timeout.count() < 0) {
    changed_.wait(held, ready);
  } else {
    changed_.wait_for(held, timeout, ready);
  }
  if (pending_.empty()) return {};
  queued_callback next = std::move(pending_.front());
  pending_.pop_front();
  return next;
}

void callback_queue::close() {
  std::deque<queued_callback> dropped;
  {
    const std::lock_guard held(mutex_);
    closed_ = true;
    dropped.swap(pending_);
  }
  changed_.notify_all();
  for (queued_callback& each : dropped) each.done.set_value();
}

bool callback_queues::subscribe(std::uint64_t thread) {
  const std::lock_guard held(mutex_);
  if (!subscribers_.contains(thread) && subscribers_.size() == max_threads) return false;
  ++subscribers_[thread].streams;
  return true;
}

void callback_queues::unsubscribe(std::uint64_t thread) {
  std::shared_ptr<callback_queue> closing;
  {
    const std::lock_guard held(mutex_);
    const auto found = subscribers_.find(thread);
    if (found == subscribers_.end() || --found->second.streams > 0) return;
    closing = found->second.queue;
    subscribers_.erase(found);
  }
  closing->close();
}

std::shared_ptr<callback_queue> callback_queues::queue_of(std::uint64_t thread) {
  const std::lock_guard held(mutex_);
  const auto found = subscribers_.find(thread);
  return found == subscribers_.end() ? nullptr : found->second.queue;
}

callback_queues& report_queues() { return compat::process_object<process_queues>().reports; }

callback_queues& host_function_queues() {
  return compat::process_object<process_queues>().host_functions;
}

}  // namespace convoy::ascendcl
