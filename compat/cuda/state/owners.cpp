#include "state/owners.hpp"

#include <mutex>
#include <unordered_map>

#include "shared/process_lifetime.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

struct ownership {
  context* owner = nullptr;
  handle_kind kind = {};
};

// Never destroyed: programs destroy streams and events in static destructors.
struct ownership_table {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, ownership> all;
};

}  // namespace

void add_owned(context* owner, const owned_handle& made) {
  auto& table = process_object<ownership_table>();
  const std::lock_guard held(table.mutex);
  table.all[made.handle] = {owner, made.kind};
}

void drop_owned(std::uint64_t handle) {
  auto& table = process_object<ownership_table>();
  const std::lock_guard held(table.mutex);
  table.all.erase(handle);
}

context* owner_of(std::uint64_t handle) {
  auto& table = process_object<ownership_table>();
  const std::lock_guard held(table.mutex);
  const auto found = table.all.find(handle);
  return found == table.all.end() ? nullptr : found->second.owner;
}

std::vector<owned_handle> take_owned(const context& owner) {
  auto& table = process_object<ownership_table>();
  std::vector<owned_handle> taken;
  const std::lock_guard held(table.mutex);
  for (const auto& [handle, each] : table.all) {
    if (each.owner == &owner) taken.push_back({each.kind, handle});
  }
  for (const owned_handle& each : taken) table.all.erase(each.handle);
  return taken;
}

}  // namespace convoy::cuda
