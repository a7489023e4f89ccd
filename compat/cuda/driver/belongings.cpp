#include "driver/belongings.hpp"

#include <bit>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "calls/memory.hpp"
#include "calls/streams.hpp"

namespace convoy::cuda {
namespace {

struct belonging_entry {
  context* owner = nullptr;
  belonging what = {};
  std::uint64_t handle = 0;
  std::uint64_t allocation = 0;  // its number, because addresses come back
};

// Kept to the end: programs clean up in their last destructors.
struct register_of_owners {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, belonging_entry> all;

  static register_of_owners& get() {
    static auto* const only = new register_of_owners;
    return *only;
  }
};

bool is_memory(belonging what) {
  return what == belonging::device_memory || what == belonging::host_memory;
}

std::uint64_t allocation_at(std::uint64_t start) {
  const auto known = note_of(std::bit_cast<const void*>(start));
  return known ? known->id : 0;
}

// Freed by way of the runtime, which knows nothing of owners.
bool is_gone(const belonging_entry& one) {
  return is_memory(one.what) && allocation_at(one.handle) != one.allocation;
}

outcome give_up(const belonging_entry& one) {
  if (is_gone(one)) return cudaSuccess;
  switch (one.what) {
    case belonging::stream: return destroy_stream(std::bit_cast<cudaStream_t>(one.handle));
    case belonging::event: return destroy_event(std::bit_cast<cudaEvent_t>(one.handle));
    case belonging::device_memory: return free_on_device(std::bit_cast<void*>(one.handle));
    case belonging::host_memory: return free_on_host(std::bit_cast<void*>(one.handle));
  }
  return cudaSuccess;
}

}  // namespace

void add_belonging(context& owner, belonging what, std::uint64_t handle) {
  if (owner.primary) return;
  const std::uint64_t allocation = is_memory(what) ? allocation_at(handle) : 0;
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  book.all[handle] = {&owner, what, handle, allocation};
}

void drop_belonging(std::uint64_t handle) {
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  book.all.erase(handle);
}

context* owner_of(std::uint64_t handle) {
  register_of_owners& book = register_of_owners::get();
  const std::lock_guard held(book.mutex);
  const auto found = book.all.find(handle);
  if (found == book.all.end() || is_gone(found->second)) return nullptr;
  return found->second.owner;
}

void give_up_belongings(context& owner) {
  register_of_owners& book = register_of_owners::get();
  std::vector<belonging_entry> ending;
  {
    const std::lock_guard held(book.mutex);
    for (const auto& [handle, each] : book.all) {
      if (each.owner == &owner) ending.push_back(each);
    }
    for (const belonging_entry& each : ending) book.all.erase(each.handle);
  }
  // What a program destroyed by way of the runtime is gone already, which is as good.
  for (const belonging_entry& each : ending) static_cast<void>(give_up(each));
}

}  // namespace convoy::cuda
