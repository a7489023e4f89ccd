#include "state/context.hpp"

#include <array>
#include <convoy/device.hpp>
#include <deque>
#include <mutex>

#include "shared/process_lifetime.hpp"
#include "state/kernel_plugins.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

constexpr unsigned sync_memops_flag = 0x80;  // CU_CTX_SYNC_MEMOPS and cudaDeviceSyncMemops

struct primary_slot {
  explicit primary_slot(device_id device) : ctx(device, 0, true) {}

  context ctx;
  unsigned retained = 0;
};

// Never destroyed: programs make CUDA calls in static destructors.
struct context_registry {
  std::mutex mutex;
  std::deque<primary_slot> primaries;
  std::deque<context> created;

  context_registry() {
    for (int i = 0; i != max_devices; ++i) primaries.emplace_back(device_id{i});
  }
};

primary_slot* slot_of(device_id device) {
  const auto count = device_count();
  if (!count || number(device) < 0 || number(device) >= *count) return nullptr;
  return &process_object<context_registry>().primaries[static_cast<std::size_t>(number(device))];
}

std::atomic<bool> initialized = false;

// Release order: `alive` is read without the lock.
void activate(primary_slot& slot) {
  slot.ctx.alive.store(true, std::memory_order_release);
  initialized.store(true, std::memory_order_relaxed);
}

void retain_for_runtime(primary_slot& slot) {
  const std::lock_guard held(process_object<context_registry>().mutex);
  if (!slot.ctx.held_by_runtime.exchange(true)) ++slot.retained;
  activate(slot);
}

}  // namespace

void context::restore_defaults() noexcept {
  flags.store(0);
  for (std::size_t i = 0; i != limits.size(); ++i) limits[i].store(default_limits[i]);
}

bool device_exists(int ordinal) { return device_at(ordinal).has_value(); }

bool driver_initialized() noexcept { return initialized.load(std::memory_order_relaxed); }

call_status initialize_driver() {
  const auto visible = visible_device_count();
  if (!visible) return visible;
  if (*visible == 0) return cudaErrorNoDevice;
  if (const call_status s = load_kernel_plugins(); !s.ok()) return s;
  initialized.store(true, std::memory_order_relaxed);
  return cudaSuccess;
}

context* primary_of(device_id device) {
  primary_slot* const slot = slot_of(device);
  return slot == nullptr ? nullptr : &slot->ctx;
}

context* primary_at(int ordinal) {
  const auto device = device_at(ordinal);
  return device ? primary_of(*device) : nullptr;
}

cudaError_t retain_primary(device_id device, context** out) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(process_object<context_registry>().mutex);
  ++slot->retained;
  activate(*slot);
  *out = &slot->ctx;
  return cudaSuccess;
}

cudaError_t release_primary(device_id device, bool* last) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(process_object<context_registry>().mutex);
  if (slot->retained == 0) return cudaErrorDeviceUninitialized;
  *last = --slot->retained == 0;
  if (*last) {
    slot->ctx.held_by_runtime.store(false);
    slot->ctx.alive.store(false, std::memory_order_release);
  }
  return cudaSuccess;
}

cudaError_t reset_primary(device_id device) {
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return cudaErrorInvalidDevice;
  const std::lock_guard held(process_object<context_registry>().mutex);
  slot->retained -= slot->ctx.held_by_runtime.exchange(false) ? 1 : 0;
  slot->ctx.alive.store(false, std::memory_order_release);
  slot->ctx.restore_defaults();
  return cudaSuccess;
}

context* make_context(device_id device, unsigned flags) {
  if (slot_of(device) == nullptr) return nullptr;
  auto& table = process_object<context_registry>();
  const std::lock_guard held(table.mutex);
  context& made = table.created.emplace_back(device, flags, false);
  made.alive.store(true, std::memory_order_release);
  return &made;
}

cudaError_t end_context(context* ctx) {
  if (ctx->primary) return cudaErrorDeviceUninitialized;
  if (!ctx->alive.exchange(false)) return cudaErrorContextIsDestroyed;
  return cudaSuccess;
}

context* known_context(const void* handle) {
  auto& table = process_object<context_registry>();
  const std::lock_guard held(table.mutex);
  for (primary_slot& each : table.primaries) {
    if (&each.ctx == handle) return &each.ctx;
  }
  for (context& each : table.created) {
    if (&each == handle) return &each;
  }
  return nullptr;
}

context* current_context() noexcept {
  const thread_state& thread = this_thread();
  return thread.depth == 0 ? nullptr : thread.stack[thread.depth - 1];
}

cudaError_t push_context(context* ctx) noexcept {
  thread_state& thread = this_thread();
  if (thread.depth == thread_state::max_depth) return cudaErrorMemoryAllocation;
  thread.stack[thread.depth++] = ctx;
  return cudaSuccess;
}

context* pop_context() noexcept {
  thread_state& thread = this_thread();
  return thread.depth == 0 ? nullptr : thread.stack[--thread.depth];
}

cudaError_t set_current_context(context* ctx) noexcept {
  pop_context();
  return ctx == nullptr ? cudaSuccess : push_context(ctx);
}

context* owner_on(device_id device) {
  context* const current = current_context();
  return current != nullptr && current->device == device ? current : primary_of(device);
}

bool sync_memops_enabled() noexcept {
  const context* const current = current_context();
  return current != nullptr &&
         (current->flags.load(std::memory_order_relaxed) & sync_memops_flag) != 0;
}

device_id runtime_device() noexcept {
  const context* const current = current_context();
  if (current != nullptr) return current->device;
  return device_at(this_thread().runtime_ordinal).value_or(device_id{-1});
}

int runtime_ordinal() noexcept {
  const context* const current = current_context();
  return current != nullptr ? ordinal_of(current->device) : this_thread().runtime_ordinal;
}

void set_runtime_ordinal(int ordinal) noexcept { this_thread().runtime_ordinal = ordinal; }

result<device_id> enter_device() {
  context* const current = current_context();
  // Read without the lock: a context that another thread destroys now may be destroyed during the
  // call anyway.
  if (current != nullptr && current->alive.load(std::memory_order_acquire)) return current->device;
  if (current != nullptr && !current->primary) return status{errc::destroyed_handle};
  const device_id device = runtime_device();
  const auto count = device_count();
  if (!count) return count.error();
  primary_slot* const slot = slot_of(device);
  if (slot == nullptr) return status{errc::invalid_device};
  retain_for_runtime(*slot);
  if (set_current_context(&slot->ctx) != cudaSuccess) return status{errc::out_of_memory};
  return device;
}

result<device_id> enter_runtime_device() {
  const auto device = enter_device();
  if (!device) return device;
  const context* const current = current_context();
  if (current->primary && !current->held_by_runtime.load()) retain_for_runtime(*slot_of(*device));
  return device;
}

}  // namespace convoy::cuda
