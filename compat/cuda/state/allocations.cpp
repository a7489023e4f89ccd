#include "state/allocations.hpp"

#include "shared/process_lifetime.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

allocation_table& allocations() { return compat::process_object<allocation_table>(); }

void allocation_table::add(allocation made) {
  if (made.owner == nullptr) made.owner = owner_on(made.device);
  const std::lock_guard held(mutex_);
  made.id = ++last_id_;
  entries_[made.start] = made;
}

std::optional<allocation> allocation_table::find(const void* start) {
  const std::lock_guard held(mutex_);
  const auto found = entries_.find(start);
  if (found == entries_.end()) return {};
  return found->second;
}

std::optional<allocation> allocation_table::remove(const void* start) {
  return remove_if(start, [](const allocation&) { return true; });
}

void allocation_table::restore(const allocation& removed) {
  const std::lock_guard held(mutex_);
  entries_[removed.start] = removed;
}

std::vector<allocation> allocation_table::owned_by(const context& owner) {
  const std::lock_guard held(mutex_);
  std::vector<allocation> all;
  for (const auto& [start, each] : entries_) {
    if (each.owner == &owner) all.push_back(each);
  }
  return all;
}

bool allocation_table::set_synchronous(const void* start, bool wanted) {
  const std::lock_guard held(mutex_);
  const auto found = entries_.find(start);
  if (found == entries_.end()) return false;
  found->second.synchronous = wanted;
  if (wanted) any_synchronous_.store(true, std::memory_order_relaxed);
  return true;
}

bool allocation_table::is_synchronous(const void* start) {
  if (start == nullptr || !any_synchronous_.load(std::memory_order_relaxed)) return false;
  const auto entry = find(start);
  return entry && entry->synchronous;
}

}  // namespace convoy::cuda
