#include "calls/memory.hpp"

#include <convoy/device.hpp>
#include <convoy/ipc.hpp>
#include <convoy/memory.hpp>

#include "calls/managed.hpp"
#include "calls/pools.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

constexpr std::size_t pitch_unit = 512;
constexpr unsigned host_flags_known =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned register_flags_known = 0xF;

// Writes null if the allocation failed.
call_status add_allocation(const result<void*>& made, const allocation& properties, void** out) {
  *out = nullptr;
  if (!made) return made;
  allocation entry = properties;
  entry.start = *made;
  allocations().add(entry);
  *out = *made;
  return cudaSuccess;
}

// Frees the allocation that starts at `start` and updates its pool and its advice.
call_status release_allocation(void* start) {
  const auto entry = allocations().remove(start);
  if (entry && entry->pool != nullptr) return_to_pool(*entry);
  if (entry && entry->kind == allocation_kind::managed) remove_advice(start, entry->bytes);
  return deallocate(start);
}

}  // namespace

call_status allocate_device_memory(device_id device, std::size_t bytes, void** out) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *out = nullptr;
    return cudaSuccess;
  }
  return add_allocation(allocate(device, bytes),
                        {.bytes = bytes, .kind = allocation_kind::device, .device = device}, out);
}

call_status allocate_host_memory(device_id current, std::size_t bytes, unsigned flags, void** out) {
  if (out == nullptr || (flags & ~host_flags_known) != 0) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *out = nullptr;
    return cudaSuccess;
  }
  return add_allocation(
      allocate_pinned(bytes),
      {.bytes = bytes, .kind = allocation_kind::pinned, .device = current, .flags = flags}, out);
}

call_status allocate_managed_memory(device_id current, std::size_t bytes, unsigned flags,
                                    void** out) {
  if (out == nullptr || bytes == 0) return cudaErrorInvalidValue;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
  return add_allocation(
      allocate_managed(bytes),
      {.bytes = bytes, .kind = allocation_kind::managed, .device = current, .flags = flags}, out);
}

call_status allocate_pitched_memory(device_id device, std::size_t width, std::size_t rows,
                                    void** out, std::size_t* pitch) {
  if (out == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
  std::size_t rounded = 0;
  std::size_t bytes = 0;
  if (__builtin_add_overflow(width, pitch_unit - 1, &rounded)) return cudaErrorInvalidValue;
  rounded -= rounded % pitch_unit;
  if (__builtin_mul_overflow(rounded, rows, &bytes)) return cudaErrorMemoryAllocation;
  if (const call_status s = allocate_device_memory(device, bytes, out); !s.ok()) return s;
  *pitch = rounded;
  return cudaSuccess;
}

call_status free_device_memory(void* start) {
  if (start == nullptr) return cudaSuccess;
  const auto located = locate(start);
  if (!located) return located;
  const bool freeable = located->base == start && (located->kind == memory_kind::device ||
                                                   located->kind == memory_kind::managed);
  if (!freeable) return status{errc::not_an_allocation, copy_side::none, {}, start};
  const auto entry = allocations().find(start);
  if (entry && entry->kind == allocation_kind::imported) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  // Errors of earlier steps are reported by the streams, not here.
  static_cast<void>(device(entry ? entry->device : located->device).synchronize());
  return release_allocation(start);
}

call_status free_host_memory(void* start) {
  if (start == nullptr) return cudaSuccess;
  const auto located = locate(start);
  if (!located) return located;
  if (located->base != start || located->kind != memory_kind::pinned) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  return release_allocation(start);
}

call_status register_host(device_id current, void* start, std::size_t bytes, unsigned flags) {
  if ((flags & ~register_flags_known) != 0) return cudaErrorInvalidValue;
  const bool read_only = (flags & cudaHostRegisterReadOnly) != 0;
  const pin_access access = read_only ? pin_access::read_only : pin_access::read_write;
  if (const status s = pin(start, bytes, access); !s.ok()) return s;
  allocations().add({.start = start,
                     .bytes = bytes,
                     .kind = allocation_kind::registered,
                     .device = current,
                     .flags = flags});
  return cudaSuccess;
}

call_status unregister_host(void* start) {
  if (start == nullptr) return cudaErrorInvalidValue;
  const auto removed = allocations().remove_if(
      start, [](const allocation& each) { return each.kind == allocation_kind::registered; });
  const status s = unpin(start);
  if (!s.ok() && removed) allocations().restore(*removed);
  return s;
}

call_status host_flags(const void* pointer, unsigned* flags) {
  if (flags == nullptr) return cudaErrorInvalidValue;
  const pointer_record found = find_pointer(pointer);
  const memory_kind kind = found.attributes.kind;
  if (kind != memory_kind::pinned && kind != memory_kind::registered) return cudaErrorInvalidValue;
  *flags = found.entry.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

call_status device_pointer(void* pointer, void** out) {
  if (out == nullptr) return cudaErrorInvalidValue;
  const memory_kind kind = find_pointer(pointer).attributes.kind;
  if (kind != memory_kind::pinned && kind != memory_kind::registered) return cudaErrorInvalidValue;
  *out = pointer;
  return cudaSuccess;
}

call_status destroy_allocation(const allocation& entry) {
  switch (entry.kind) {
    case allocation_kind::registered: return unregister_host(entry.start);
    case allocation_kind::imported:
      allocations().remove(entry.start);
      while (close_imported(entry.start).ok()) continue;
      return cudaSuccess;
    case allocation_kind::device:
    case allocation_kind::pinned:
    case allocation_kind::managed: break;
  }
  return release_allocation(entry.start);
}

pointer_record find_pointer(const void* pointer) {
  const auto located = locate(pointer);
  if (!located) return {};
  return {*located, allocations().find(located->base).value_or(allocation{})};
}

}  // namespace convoy::cuda
