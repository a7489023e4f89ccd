#include "runtime/deferred_frees.hpp"

#include <algorithm>
#include <utility>

namespace convoy {
namespace {

// Longer than pending work takes, unless it waits for the thread that allocates.
constexpr auto longest_wait = std::chrono::seconds(2);

}  // namespace

bool deferred_frees::pending_free::users_landed() const {
  return std::ranges::all_of(users,
                             [](const stream_position& p) { return p.queue->landed(p.position); });
}

void deferred_frees::defer(const memory::retired& freed, std::vector<stream_position> users,
                           used_by_others others) {
  if (users.empty() && !others) {
    space_.reclaim(freed);
  } else {
    const lock held(mutex_);
    deferred_.push_back({freed, std::move(users), std::move(others)});
  }
  sweep();
}

bool deferred_frees::sweep() {
  const lock held(mutex_);
  const auto unused = std::stable_partition(deferred_.begin(), deferred_.end(),
                                            [](const pending_free& f) { return f.in_use(); });
  const bool any = unused != deferred_.end();
  for (auto each = unused; each != deferred_.end(); ++each) space_.reclaim(each->memory);
  deferred_.erase(unused, deferred_.end());
  return any;
}

bool deferred_frees::wait() {
  std::vector<stream_position> users;
  {
    const lock held(mutex_);
    const auto busy =
        std::ranges::find_if(deferred_, [](const pending_free& f) { return !f.users_landed(); });
    if (busy == deferred_.end()) return false;
    users = busy->users;
  }
  const auto until = os::clock::now() + longest_wait;
  for (const stream_position& each : users)
    static_cast<void>(each.queue->wait(each.position, until));
  return sweep();
}

}  // namespace convoy
