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

outcome keep(const result<void*>& made, const allocation& how, void** got) {
  if (!made) return made;
  allocation with = how;
  with.start = *made;
  note(with);
  *got = *made;
  return cudaSuccess;
}

// Takes back what starts exactly there.
outcome give_back(void* start) {
  const auto known = forget(start);
  if (known && known->pool != nullptr) leave_pool(*known);
  if (known && known->kind == allocation_kind::managed) forget_advice(start, known->bytes);
  return deallocate(start);
}

}  // namespace

outcome allocate_on(device_id device, std::size_t bytes, void** got) {
  if (got == nullptr) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *got = nullptr;
    return cudaSuccess;
  }
  return keep(allocate(device, bytes),
              {.bytes = bytes, .kind = allocation_kind::device, .device = device}, got);
}

outcome allocate_host(device_id current, std::size_t bytes, unsigned flags, void** got) {
  if (got == nullptr || (flags & ~host_flags_known) != 0) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *got = nullptr;
    return cudaSuccess;
  }
  return keep(allocate_pinned(bytes),
              {.bytes = bytes, .kind = allocation_kind::pinned, .device = current, .flags = flags},
              got);
}

outcome allocate_shared(device_id current, std::size_t bytes, unsigned flags, void** got) {
  if (got == nullptr || bytes == 0) return cudaErrorInvalidValue;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
  return keep(allocate_managed(bytes),
              {.bytes = bytes, .kind = allocation_kind::managed, .device = current, .flags = flags},
              got);
}

outcome allocate_rows(device_id device, std::size_t width, std::size_t rows, void** got,
                      std::size_t* pitch) {
  if (got == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
  std::size_t rounded = 0;
  std::size_t bytes = 0;
  if (__builtin_add_overflow(width, pitch_unit - 1, &rounded)) return cudaErrorInvalidValue;
  rounded -= rounded % pitch_unit;
  if (__builtin_mul_overflow(rounded, rows, &bytes)) return cudaErrorMemoryAllocation;
  if (const outcome o = allocate_on(device, bytes, got); !o.ok()) return o;
  *pitch = rounded;
  return cudaSuccess;
}

outcome free_on_device(void* start) {
  if (start == nullptr) return cudaSuccess;
  const auto where = locate(start);
  if (!where) return where;
  const bool ours = where->base == start &&
                    (where->kind == memory_kind::device || where->kind == memory_kind::managed);
  if (!ours) return status{errc::not_an_allocation, copy_side::none, {}, start};
  const auto known = note_of(start);
  if (known && known->kind == allocation_kind::imported) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  if (const outcome o = may_wait(); !o.ok()) return o;
  // What a step did wrong is for whoever waits for its stream.
  static_cast<void>(device(known ? known->device : where->device).synchronize());
  return give_back(start);
}

outcome free_on_host(void* start) {
  if (start == nullptr) return cudaSuccess;
  const auto where = locate(start);
  if (!where) return where;
  if (where->base != start || where->kind != memory_kind::pinned) {
    return status{errc::not_an_allocation, copy_side::none, {}, start};
  }
  return give_back(start);
}

outcome register_host(device_id current, void* start, std::size_t bytes, unsigned flags) {
  if ((flags & ~register_flags_known) != 0) return cudaErrorInvalidValue;
  if (const status s = pin(start, bytes); !s.ok()) return s;
  note({.start = start,
        .bytes = bytes,
        .kind = allocation_kind::registered,
        .device = current,
        .flags = flags});
  return cudaSuccess;
}

outcome unregister_host(void* start) {
  if (start == nullptr) return cudaErrorInvalidValue;
  if (const status s = unpin(start); !s.ok()) return s;
  forget(start);
  return cudaSuccess;
}

outcome host_flags(const void* pointer, unsigned* flags) {
  if (flags == nullptr) return cudaErrorInvalidValue;
  const finding found = find(pointer);
  const memory_kind kind = found.where.kind;
  if (kind != memory_kind::pinned && kind != memory_kind::registered) return cudaErrorInvalidValue;
  *flags = found.known.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

outcome device_view(void* pointer, void** got) {
  if (got == nullptr) return cudaErrorInvalidValue;
  const memory_kind kind = find(pointer).where.kind;
  if (kind != memory_kind::pinned && kind != memory_kind::registered) return cudaErrorInvalidValue;
  *got = pointer;
  return cudaSuccess;
}

outcome end_allocation(const allocation& known) {
  switch (known.kind) {
    case allocation_kind::registered: return unregister_host(known.start);
    case allocation_kind::imported:
      forget(known.start);
      while (close_imported(known.start).ok()) continue;
      return cudaSuccess;
    case allocation_kind::device:
    case allocation_kind::pinned:
    case allocation_kind::managed: break;
  }
  return give_back(known.start);
}

finding find(const void* pointer) {
  const auto where = locate(pointer);
  if (!where) return {};
  return {*where, note_of(where->base).value_or(allocation{})};
}

}  // namespace convoy::cuda
