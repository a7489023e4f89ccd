#include "runtime/deferred_frees.hpp"

#include <algorithm>
#include <utility>

namespace convoy {
namespace {

// Longer than work in flight takes, unless it waits for the very thread that asks for memory.
constexpr auto patience = std::chrono::seconds(2);

}  // namespace

bool graveyard::grave::users_landed() const {
  return std::ranges::all_of(users, [](const point& p) { return p.queue->landed(p.at); });
}

void graveyard::bury(const memory::retired& gone, std::vector<point> users, used_elsewhere others) {
  if (users.empty() && !others) {
    space_.reclaim(gone);
  } else {
    const lock held(mutex_);
    graves_.push_back({gone, std::move(users), std::move(others)});
  }
  sweep();
}

bool graveyard::sweep() {
  const lock held(mutex_);
  const auto open = std::stable_partition(graves_.begin(), graves_.end(),
                                          [](const grave& g) { return g.in_use(); });
  const bool any = open != graves_.end();
  for (auto each = open; each != graves_.end(); ++each) space_.reclaim(each->what);
  graves_.erase(open, graves_.end());
  return any;
}

bool graveyard::wait() {
  std::vector<point> users;
  {
    const lock held(mutex_);
    const auto busy =
        std::ranges::find_if(graves_, [](const grave& g) { return !g.users_landed(); });
    if (busy == graves_.end()) return false;
    users = busy->users;
  }
  const auto until = os::clock::now() + patience;
  for (const point& each : users) static_cast<void>(each.queue->wait(each.at, until));
  return sweep();
}

}  // namespace convoy
