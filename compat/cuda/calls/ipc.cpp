#include "calls/ipc.hpp"

#include <convoy/ipc.hpp>
#include <convoy/memory.hpp>
#include <cstring>

#include "state/allocations.hpp"
#include "state/context.hpp"
#include "state/owners.hpp"

namespace convoy::cuda {
namespace {

// A handle begins with Convoy's key; the rest is zero.
template <class Handle>
Handle handle_for(const ipc_key& key) {
  Handle made = {};
  static_assert(sizeof made.reserved >= sizeof key.bytes);
  std::memcpy(made.reserved, key.bytes.data(), key.bytes.size());
  return made;
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

// Why a handle could not be opened, as CUDA has it.
outcome unopened(const status& why) {
  if (is_state_of_process(why.code)) return why;
  const bool own = why.code == errc::not_permitted;
  return {own ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue, why};
}

}  // namespace

outcome share_memory(void* start, cudaIpcMemHandle_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto known = note_of(start);
  if (!known || known->kind != allocation_kind::device || known->pool != nullptr) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  const auto key = export_memory(start);
  if (!key) return key;
  *handle = handle_for<cudaIpcMemHandle_t>(*key);
  return cudaSuccess;
}

outcome open_memory(const cudaIpcMemHandle_t& handle, unsigned flags, void** got) {
  if (got == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
  const auto memory = import_memory(key_in(handle));
  if (!memory) return unopened(memory.error());
  if (!note_of(memory->start)) {
    note({.start = memory->start,
          .bytes = memory->bytes,
          .kind = allocation_kind::imported,
          .device = memory->device,
          .owner = current_context()});
  }
  *got = memory->start;
  return cudaSuccess;
}

outcome close_memory(void* start) {
  const auto known = note_of(start);
  if (!known || known->kind != allocation_kind::imported) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  if (const status s = close_imported(start); !s.ok()) return s;
  if (!locate(start)) forget(start);
  return cudaSuccess;
}

outcome share_event(cudaEvent_t event, cudaIpcEventHandle_t* handle) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const auto key = export_event(native(event));
  if (!key && key.error().code == errc::not_permitted) {
    return {cudaErrorInvalidResourceHandle, key.error()};
  }
  if (!key) return key;
  *handle = handle_for<cudaIpcEventHandle_t>(*key);
  return cudaSuccess;
}

outcome open_event(device_id device, const cudaIpcEventHandle_t& handle, cudaEvent_t* got) {
  if (got == nullptr) return cudaErrorInvalidValue;
  auto event = import_event(key_in(handle), device);
  if (!event) return unopened(event.error());
  *got = handle_of(event->release());
  add_owned(owner_on(device), {owned::event, number(*got)});
  return cudaSuccess;
}

}  // namespace convoy::cuda
