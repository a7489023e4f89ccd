#include "runtime/graveyard.hpp"

#include <algorithm>
#include <utility>

namespace convoy {
namespace {

// Longer than work in flight takes, unless it waits for the very thread that asks for memory.
constexpr auto patience = std::chrono::seconds(2);

bool landed(const point& p) { return p.queue->landed(p.at); }

}  // namespace

void graveyard::bury(const memory::retired& gone, std::vector<point> users) {
  sweep();
  if (users.empty()) {
    space_.reclaim(gone);
    return;
  }
  const lock held(mutex_);
  graves_.push_back({gone, std::move(users)});
}

bool graveyard::sweep() {
  const lock held(mutex_);
  const auto open = std::stable_partition(graves_.begin(), graves_.end(), [](const grave& g) {
    return !std::all_of(g.users.begin(), g.users.end(), landed);
  });
  const bool any = open != graves_.end();
  for (auto each = open; each != graves_.end(); ++each) space_.reclaim(each->what);
  graves_.erase(open, graves_.end());
  return any;
}

bool graveyard::wait() {
  std::vector<point> users;
  {
    const lock held(mutex_);
    if (graves_.empty()) return false;
    users = graves_.front().users;
  }
  const auto until = os::clock::now() + patience;
  for (const point& each : users) static_cast<void>(each.queue->wait(each.at, until));
  return sweep();
}

}  // namespace convoy
