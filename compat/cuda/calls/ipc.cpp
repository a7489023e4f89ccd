#include "calls/ipc.hpp"

#include <convoy/ipc.hpp>
#include <convoy/memory.hpp>
#include <cstring>

#include "state/allocations.hpp"
#include "state/context.hpp"
#include "state/owners.hpp"

namespace convoy::cuda {
namespace {

// A CUDA IPC handle holds the engine's key in its first bytes; the rest is zero.
template <class Handle>
Handle handle_for(const ipc_key& key) {
  Handle handle = {};
  static_assert(sizeof handle.reserved >= sizeof key.bytes);
  std::memcpy(handle.reserved, key.bytes.data(), key.bytes.size());
  return handle;
}

template <class Handle>
ipc_key key_in(const Handle& handle) {
  ipc_key found;
  std::memcpy(found.bytes.data(), handle.reserved, found.bytes.size());
  return found;
}

bool is_state_of_process(errc code) {
  return code == errc::forked || code == errc::bad_configuration || code == errc::out_of_memory;
}

// CUDA's code for a handle that could not be opened: a handle of this process is INVALID_CONTEXT.
call_status import_error(const status& cause) {
  if (is_state_of_process(cause.code)) return cause;
  const bool own_handle = cause.code == errc::not_permitted;
  return {own_handle ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue, cause};
}

}  // namespace

call_status get_memory_handle(void* pointer, cudaIpcMemHandle_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto located = locate(pointer);
  if (!located) return located;
  const auto entry = allocations().find(located->base);
  if (!entry || entry->kind != allocation_kind::device || entry->pool != nullptr) {
    return status{errc::not_an_allocation, copy_side::none, {}, pointer};
  }
  const auto key = export_memory(entry->start);
  if (!key) return key;
  *handle = handle_for<cudaIpcMemHandle_t>(*key);
  return cudaSuccess;
}

call_status open_memory_handle(const cudaIpcMemHandle_t& handle, unsigned flags, void** out) {
  if (out == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
  const auto memory = import_memory(key_in(handle));
  if (!memory) return import_error(memory.error());
  if (!allocations().find(memory->start)) {
    allocations().add({.start = memory->start,
                       .bytes = memory->bytes,
                       .kind = allocation_kind::imported,
                       .device = memory->device,
                       .owner = current_context()});
  }
  *out = memory->start;
  return cudaSuccess;
}

call_status close_memory_handle(void* start) {
  const auto entry = allocations().find(start);
  if (!entry || entry->kind != allocation_kind::imported) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  if (const status s = close_imported(start); !s.ok()) return s;
  if (!locate(start)) allocations().remove(start);
  return cudaSuccess;
}

call_status get_event_handle(cudaEvent_t event, cudaIpcEventHandle_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto key = export_event(native(event));
  if (!key && key.error().code == errc::not_permitted) {
    return {cudaErrorInvalidResourceHandle, key.error()};
  }
  if (!key) return key;
  *handle = handle_for<cudaIpcEventHandle_t>(*key);
  return cudaSuccess;
}

call_status open_event_handle(device_id device, const cudaIpcEventHandle_t& handle,
                              cudaEvent_t* out) {
  if (out == nullptr) return cudaErrorInvalidValue;
  auto event = import_event(key_in(handle), device);
  if (!event) return import_error(event.error());
  *out = handle_of(event->release());
  add_owned(owner_on(device), {handle_kind::event, number(*out)});
  return cudaSuccess;
}

}  // namespace convoy::cuda
