#include "state/context.hpp"

#include <array>
#include <convoy/device.hpp>
#include <deque>
#include <mutex>

#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

constexpr std::size_t most_devices = 64;
constexpr unsigned sync_memops = 0x80;  // among the flags of a context, in both interfaces

struct primary_slot {
  explicit primary_slot(device_id of) : own(of, 0, true) {}

  context own;
  unsigned retained = 0;
};

// Built at the first call and kept: programs call in from their last destructors.
struct registry {
  std::mutex mutex;
  std::deque<primary_slot> primaries;
  std::deque<context> made;

  registry() {
    for (std::size_t i = 0; i != most_devices; ++i) {
      primaries.emplace_back(device_id{static_cast<std::int32_t>(i)});
    }
  }

  static registry& get() {
    static auto* const only = new registry;
    return *only;
  }
};

bool exists(device_id device) {
  const auto count = device_count();
  return count && number(device) >= 0 && number(device) < *count;
}

primary_slot* slot_of(device_id device) {
  if (!exists(device)) return nullptr;
  return &registry::get().primaries[static_cast<std::size_t>(number(device))];
}

std::atomic<bool> driver_started = false;

// Stored for readers that look at `alive` without the lock.
void give_life(primary_slot& slot) {
  slot.own.alive.store(true, std::memory_order_release);
  start();
}

void hold_for_runtime(primary_slot& slot) {
  const std::lock_guard held(registry::get().mutex);
  if (!slot.own.held_by_runtime.exchange(true)) ++slot.retained;
  give_life(slot);
}

}  // namespace

bool started() noexcept { return driver_started.load(std::memory_order_relaxed); }
void start() noexcept { driver_started.store(true, std::memory_order_relaxed); }

context* primary_of(device_id device) {
  primary_slot* const slot = slot_of(device);
  return slot == nullptr ? nullptr : &slot->own;
}

cudaError_t retain_primary(device_id device, context** got) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(registry::get().mutex);
  ++slot->retained;
  give_life(*slot);
  *got = &slot->own;
  return cudaSuccess;
}

cudaError_t release_primary(device_id device, bool* last) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(registry::get().mutex);
  const unsigned runtimes = slot->own.held_by_runtime.load() ? 1 : 0;
  if (slot->retained == runtimes) return cudaErrorDeviceUninitialized;
  *last = --slot->retained == 0;
  if (*last) slot->own.alive.store(false, std::memory_order_release);
  return cudaSuccess;
}

cudaError_t reset_primary(device_id device) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(registry::get().mutex);
  slot->retained -= slot->own.held_by_runtime.exchange(false) ? 1 : 0;
  slot->own.alive.store(false, std::memory_order_release);
  return cudaSuccess;
}

context* make_context(device_id device, unsigned flags) {
  if (!exists(device)) return nullptr;
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  context& made = all.made.emplace_back(device, flags, false);
  made.alive.store(true, std::memory_order_release);
  return &made;
}

cudaError_t end_context(context* which) {
  if (which->primary) return cudaErrorDeviceUninitialized;
  if (!which->alive.exchange(false)) return cudaErrorContextIsDestroyed;
  return cudaSuccess;
}

context* known_context(const void* handle) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  for (primary_slot& each : all.primaries) {
    if (&each.own == handle) return &each.own;
  }
  for (context& each : all.made) {
    if (&each == handle) return &each;
  }
  return nullptr;
}

context* current_context() noexcept {
  const thread_state& mine = this_thread();
  return mine.depth == 0 ? nullptr : mine.stack[mine.depth - 1];
}

cudaError_t push_context(context* which) noexcept {
  thread_state& mine = this_thread();
  if (mine.depth == thread_state::deepest) return cudaErrorMemoryAllocation;
  mine.stack[mine.depth++] = which;
  return cudaSuccess;
}

context* pop_context() noexcept {
  thread_state& mine = this_thread();
  return mine.depth == 0 ? nullptr : mine.stack[--mine.depth];
}

cudaError_t set_current_context(context* which) noexcept {
  pop_context();
  return which == nullptr ? cudaSuccess : push_context(which);
}

context* owner_on(device_id device) {
  context* const current = current_context();
  return current != nullptr && current->device == device ? current : primary_of(device);
}

bool waits_for_memory() noexcept {
  const context* const current = current_context();
  return current != nullptr && (current->flags.load(std::memory_order_relaxed) & sync_memops) != 0;
}

device_id runtime_device() noexcept {
  const context* const current = current_context();
  return current != nullptr ? current->device : this_thread().chosen;
}

void choose_runtime_device(device_id device) noexcept { this_thread().chosen = device; }

result<device_id> enter_device() {
  context* const current = current_context();
  // Read without the lock: who ends the context at this moment ends it under us either way.
  if (current != nullptr && current->alive.load(std::memory_order_acquire)) return current->device;
  if (current != nullptr && !current->primary) return status{errc::destroyed_handle};
  const device_id wanted = runtime_device();
  const auto count = device_count();
  if (!count) return count.error();
  primary_slot* const slot = slot_of(wanted);
  if (slot == nullptr) return status{errc::invalid_device};
  hold_for_runtime(*slot);
  if (set_current_context(&slot->own) != cudaSuccess) return status{errc::out_of_memory};
  return wanted;
}

result<device_id> enter_runtime_device() {
  const auto on = enter_device();
  if (!on) return on;
  const context* const current = current_context();
  if (current->primary && !current->held_by_runtime.load()) hold_for_runtime(*slot_of(*on));
  return on;
}

}  // namespace convoy::cuda
