// Contexts, and which one is current on a thread.
//
// A context is a device plus the right to be current. Each device has one primary context, which
// the runtime uses and the driver lends out by count; the driver may create more. Memory, streams
// and events end with the context they were made in; until then all contexts share them.
//
// Contexts are never deleted, so a pointer to one stays good to look at; `alive` tells whether it
// is still good to use. A pointer from a caller is looked up with known_context() first.
//
// A thread has a stack of contexts; its top is current. The runtime makes the primary context of
// its device current when it needs one and none is, as do driver calls of the runtime's kind.
#pragma once

#include <atomic>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstdint>

#include "types/errors.h"

namespace convoy::cuda {

struct context {
  explicit context(device_id on_device, unsigned with_flags, bool is_primary)
      : device(on_device), flags(with_flags), primary(is_primary) {}

  const device_id device;
  std::atomic<unsigned> flags;
  const bool primary;
  std::atomic<bool> alive = false;
  std::atomic<bool> held_by_runtime = false;  // one of the retains of a primary context
};

// False too when the configuration is bad, which leaves no device.
bool device_exists(int number);

// True once the driver was started, or the runtime made a context live and so started it.
bool driver_initialized() noexcept;
void initialize_driver() noexcept;

// The primary context of a device, live or not; null when there is no such device.
context* primary_of(device_id device);

// Each retain makes the primary context live and needs a release; the last release ends it.
// A release too many answers cudaErrorDeviceUninitialized, which is the driver's INVALID_CONTEXT.
// What was made in the context is for whoever ends it to give up.
cudaError_t retain_primary(device_id device, context** out);
cudaError_t release_primary(device_id device, bool* last);

// Ends the primary context whatever its count; the next use makes it live again.
cudaError_t reset_primary(device_id device);

// A context of the driver's making, live until end_context().
context* make_context(device_id device, unsigned flags);
cudaError_t end_context(context* ctx);

// The context that a caller names, live or ended; null when it never was one.
context* known_context(const void* handle);

// The stack of the calling thread. The top may have ended meanwhile.
context* current_context() noexcept;
cudaError_t push_context(context* ctx) noexcept;
context* pop_context() noexcept;  // null from an empty stack

// Replaces the top; null takes it away.
cudaError_t set_current_context(context* ctx) noexcept;

// The context that owns what is made on a device now: the current one, if it is of that device,
// else the primary one.
context* owner_on(device_id device);

// True when calls without a stream are to have landed on return in the current context.
bool sync_memops_enabled() noexcept;

// The device that the runtime works on: that of the current context, else the one last chosen.
device_id runtime_device() noexcept;
void set_runtime_device(device_id device) noexcept;

// The same, after making sure that a live context is current.
result<device_id> enter_device();

// The same for functions of the runtime. It holds one retain of each primary context it uses, so
// that what is made with it outlives the releases of those who use the driver.
result<device_id> enter_runtime_device();

}  // namespace convoy::cuda
