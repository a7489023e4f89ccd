// Contexts, and the stack of contexts of each thread.
//
// A context names a device. Each device has one primary context, which the runtime uses and the
// driver counts references to; the driver can create more. Memory, streams and events are destroyed
// with the context they were made in; until then every context can use them.
//
// Context objects are never deleted, so a pointer to one stays readable; `alive` tells whether the
// context still exists for the program. Look up a caller's handle with known_context() first.
//
// The top of a thread's stack is its current context. The runtime makes the primary context of its
// device current when it needs a context and the stack is empty.
#pragma once

#include <array>
#include <atomic>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"
#include "types/errors.h"

namespace convoy::cuda {

struct context {
  explicit context(device_id on_device, unsigned with_flags, bool is_primary)
      : device(on_device), flags(with_flags), primary(is_primary) {}

  // Restores the flags and limits of a primary context that was never used.
  void restore_defaults() noexcept;

  const device_id device;
  std::atomic<unsigned> flags;
  const bool primary;
  std::atomic<bool> alive = false;
  std::atomic<bool> held_by_runtime = false;  // one reference of a primary context

  // The limits that can be set, indexed by cudaLimit: stack, printf FIFO and heap of kernels.
  static constexpr std::array<std::size_t, 3> default_limits = {1024, 1 << 20, 8 << 20};
  std::array<std::atomic<std::size_t>, 3> limits = {default_limits[0], default_limits[1],
                                                    default_limits[2]};
};

// True if a visible device has this ordinal. False as well if the configuration is invalid: then
// there are no devices.
bool device_exists(int ordinal);

// The driver is initialized by cuInit(), and by every function of the runtime that needs it.
// initialize_driver() returns cudaErrorNoDevice if no device is visible, and fails if a plug-in for
// kernels cannot be loaded.
bool driver_initialized() noexcept;
call_status initialize_driver();

// Returns the primary context of a device, active or not; null if there is no such device. The
// driver's form takes the ordinal.
context* primary_of(device_id device);
context* primary_at(int ordinal);

// Reference counting of a primary context: a retain activates it, the last release deactivates it.
// The reference of the runtime can be released like any other. A release without a retain returns
// cudaErrorDeviceUninitialized (CUDA_ERROR_INVALID_CONTEXT). These functions do not destroy what
// was made in the context; see calls/context_teardown.hpp.
cudaError_t retain_primary(device_id device, context** out);
cudaError_t release_primary(device_id device, bool* last);

// Deactivates the primary context whatever its count; the next use activates it again.
cudaError_t reset_primary(device_id device);

// Creates a context that is alive until end_context().
context* make_context(device_id device, unsigned flags);
cudaError_t end_context(context* ctx);

// Returns the context with this handle, alive or not; null if the handle was never a context.
context* known_context(const void* handle);

// The stack of the calling thread. The context on top may have been destroyed meanwhile.
context* current_context() noexcept;
cudaError_t push_context(context* ctx) noexcept;
context* pop_context() noexcept;  // null if the stack is empty

// Replaces the top of the stack; null pops it.
cudaError_t set_current_context(context* ctx) noexcept;

// Returns the context that owns what this thread makes on a device: the current context if it is
// one of that device, else the primary context.
context* owner_on(device_id device);

// True if the current context has CU_CTX_SYNC_MEMOPS: sync calls return after the copy has landed.
bool sync_memops_enabled() noexcept;

// The device of the runtime: that of the current context, else the one set last with
// cudaSetDevice().
device_id runtime_device() noexcept;
int runtime_ordinal() noexcept;
void set_runtime_ordinal(int ordinal) noexcept;

// Returns the device of the runtime after making sure that an active context is current.
result<device_id> enter_device();

// The same, for functions of the runtime. The runtime holds one reference to each primary context
// it uses, so that a release through the driver does not destroy what the runtime made.
result<device_id> enter_runtime_device();

}  // namespace convoy::cuda
