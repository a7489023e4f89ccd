#include "state/owners.hpp"

#include <mutex>
#include <unordered_map>

namespace convoy::cuda {
namespace {

struct ownership {
  context* owner = nullptr;
  owned what = {};
};

// Kept to the end: programs clean up in their last destructors.
struct register_of_owners {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, ownership> all;

  static register_of_owners& get() {
    static auto* const only = new register_of_owners;
    return *only;
  }
};

}  // namespace

void add_owned(context* owner, const owned_handle& made) {
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  book.all[made.handle] = {owner, made.what};
}

void drop_owned(std::uint64_t handle) {
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  book.all.erase(handle);
}

context* owner_of(std::uint64_t handle) {
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  const auto found = book.all.find(handle);
  return found == book.all.end() ? nullptr : found->second.owner;
}

std::vector<owned_handle> take_owned(const context& owner) {
  register_of_owners& book = register_of_owners::get();
  std::vector<owned_handle> taken;
  const std::lock_guard held(book.mutex);
  for (const auto& [handle, each] : book.all) {
    if (each.owner == &owner) taken.push_back({each.what, handle});
  }
  for (const owned_handle& each : taken) book.all.erase(each.handle);
  return taken;
}

}  // namespace convoy::cuda
