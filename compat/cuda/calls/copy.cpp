#include "calls/copy.hpp"

#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <vector>

#include "calls/pools.hpp"
#include "state/allocations.hpp"
#include "state/context.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

// Pageable sources up to this size are staged during the call; larger ones are waited for.
constexpr std::size_t max_staged_source = 64 << 10;
constexpr std::size_t max_pitch = 0x7FFFFFFF;

struct copy_endpoints {
  pointer_attributes dst;
  pointer_attributes src;
};

enum class return_point { submitted, source_read, landed };

bool has_device_dst(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool has_device_src(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

// Pinned, registered and managed memory counts as host and as device memory.
bool contradicts(bool expects_device, memory_kind kind) {
  return expects_device ? kind == memory_kind::pageable : kind == memory_kind::device;
}

// Locates both pointers and checks them against the direction of the copy.
result<copy_endpoints> locate_endpoints(const void* dst, const void* src, cudaMemcpyKind kind) {
  const auto to = locate(dst);
  if (!to) return status{to.error().code, copy_side::destination, {}, dst};
  const auto from = locate(src);
  if (!from) return status{from.error().code, copy_side::source, {}, src};
  if (kind == cudaMemcpyDefault) return copy_endpoints{*to, *from};
  if (contradicts(has_device_dst(kind), to->kind)) {
    return status{errc::wrong_location, copy_side::destination, {}, dst};
  }
  if (contradicts(has_device_src(kind), from->kind)) {
    return status{errc::wrong_location, copy_side::source, {}, src};
  }
  return copy_endpoints{*to, *from};
}

bool is_kind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

// True if the current context or one of the allocations asks sync calls to wait.
bool must_wait(const void* one, const void* other) {
  return sync_memops_enabled() || allocations().is_synchronous(one) ||
         allocations().is_synchronous(other);
}

return_point return_point_of(call_kind call, const copy_endpoints& endpoints, std::size_t bytes) {
  const memory_kind dst = endpoints.dst.kind;
  const memory_kind src = endpoints.src.kind;
  if (call == call_kind::sync) {
    const bool on_devices = dst == memory_kind::device && src == memory_kind::device;
    return on_devices && !must_wait(endpoints.dst.base, endpoints.src.base)
               ? return_point::submitted
               : return_point::landed;
  }
  if (is_host(dst) && is_host(src)) return return_point::landed;
  if (dst == memory_kind::pageable) return return_point::landed;
  if (src != memory_kind::pageable) return return_point::submitted;
  return bytes <= max_staged_source ? return_point::source_read : return_point::landed;
}

// Submits a step and waits if the call returns after landing. Checks that waiting is permitted
// before it submits.
template <class Submit>
call_status finish(stream_ref stream, return_point point, const Submit& submit) {
  if (point != return_point::landed) return submit();
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  const result<ticket> step = submit();
  return step ? call_status(stream.synchronize(*step)) : call_status(step);
}

const void* base_of(const void* pointer) {
  const auto located = locate(pointer);
  return located ? located->base : nullptr;
}

// Makes work submitted to `later` from now on wait for what has been submitted to `earlier`.
status order(stream_ref later, stream_ref earlier) {
  if (later == earlier) return {};
  const auto device = earlier.device();
  if (!device) return device.error();
  const auto event = make_event(*device, {.timing = false});
  if (!event) return event.error();
  if (const auto recorded = record(earlier, *event); !recorded) return recorded.error();
  return wait(later, *event).error();
}

// Copies into and out of pools of other devices need the pool's permission. Copies between devices
// that name both devices do not.
call_status check_access(stream_ref stream, const copy_endpoints& endpoints) {
  if (!has_pool_memory()) return cudaSuccess;
  const auto device = stream.device();
  if (!device) return device;
  if (const call_status s = check_pool_access(*device, endpoints.dst); !s.ok()) return s;
  return check_pool_access(*device, endpoints.src);
}

// The legacy default streams of the devices, other than the stream's, that own an endpoint.
result<std::vector<stream_ref>> owner_streams(stream_ref stream, const copy_endpoints& endpoints) {
  std::vector<stream_ref> found;
  const auto here = stream.device();
  if (!here) return here.error();
  for (const pointer_attributes& each : {endpoints.dst, endpoints.src}) {
    if (each.kind != memory_kind::device || each.device == *here) continue;
    const auto owner = device(each.device).default_stream();
    if (!owner) return owner.error();
    found.push_back(*owner);
  }
  return found;
}

// Submits a copy. In a legacy default stream it is ordered like work of the devices that own the
// memory as well: it waits for their blocking streams, and later work in them waits for it.
template <class Body>
call_status in_owner_order(cudaStream_t handle, stream_ref stream, const copy_endpoints& endpoints,
                           const Body& body) {
  if (!is_legacy(handle)) return body();
  const auto owners = owner_streams(stream, endpoints);
  if (!owners) return owners;
  for (const stream_ref each : *owners) {
    if (const status s = order(stream, each); !s.ok()) return s;
  }
  const call_status copied = body();
  if (!copied.ok()) return copied;
  for (const stream_ref each : *owners) {
    if (const status s = order(each, stream); !s.ok()) return s;
  }
  return copied;
}

// The number of bytes in a box, at most SIZE_MAX.
std::size_t bytes_in(const box& extent) {
  std::size_t bytes = 0;
  const bool overflow = __builtin_mul_overflow(extent.width, extent.height, &bytes) ||
                        __builtin_mul_overflow(bytes, extent.depth, &bytes);
  return overflow ? SIZE_MAX : bytes;
}

// The start of row y of slice z; null if the address overflows.
void* row_start(const pitched& side, const box& extent, std::size_t z, std::size_t y) {
  const std::size_t slice_rows = side.slice_rows == 0 ? extent.height : side.slice_rows;
  std::size_t offset = 0;
  std::uintptr_t start = 0;
  const bool overflow =
      __builtin_mul_overflow(slice_rows, z, &offset) ||
      __builtin_add_overflow(offset, y, &offset) ||
      __builtin_mul_overflow(offset, side.pitch, &offset) ||
      __builtin_add_overflow(reinterpret_cast<std::uintptr_t>(side.start), offset, &start);
  return overflow ? nullptr : reinterpret_cast<void*>(start);
}

// The rows of a box, each a copy. An address that overflows is null, which no copy accepts.
std::vector<copy> rows_of(const pitched_copy& all) {
  std::vector<copy> rows;
  for (std::size_t z = 0; z != all.extent.depth; ++z) {
    for (std::size_t y = 0; y != all.extent.height; ++y) {
      rows.push_back({row_start(all.dst, all.extent, z, y), row_start(all.src, all.extent, z, y),
                      all.extent.width});
    }
  }
  return rows;
}

call_status check_pitch(const cudaPitchedPtr& memory, const cudaPos& position,
                        const cudaExtent& extent) {
  if (memory.pitch < extent.width) return cudaErrorInvalidPitchValue;
  if (memory.pitch > max_pitch || position.x > memory.pitch - extent.width)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

call_status side_of(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent,
                    pitched* into) {
  if (memory.ptr == nullptr) return cudaErrorInvalidValue;
  if (const call_status s = check_pitch(memory, position, extent); !s.ok()) return s;
  std::size_t slice = 0;
  std::size_t before = 0;
  const bool fits =
      !__builtin_mul_overflow(memory.pitch, memory.ysize, &slice) &&
      !__builtin_mul_overflow(slice, position.z, &before) && position.y <= max_pitch &&
      !__builtin_add_overflow(before, memory.pitch * position.y + position.x, &before);
  if (!fits || (extent.depth > 1 && memory.ysize < extent.height)) return cudaErrorInvalidValue;
  *into = {static_cast<std::byte*>(memory.ptr) + before, memory.pitch, memory.ysize};
  return cudaSuccess;
}

template <class Parameters>
call_status box_of_parameters(const Parameters& from, pitched_copy* into) {
  if (from.srcArray != nullptr || from.dstArray != nullptr) return status{errc::not_supported};
  into->extent = {from.extent.width, from.extent.height, from.extent.depth};
  if (is_empty(from.extent)) return cudaSuccess;
  if (const call_status s = side_of(from.srcPtr, from.srcPos, from.extent, &into->src); !s.ok()) {
    return s;
  }
  return side_of(from.dstPtr, from.dstPos, from.extent, &into->dst);
}

bool is_empty(const box& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

}  // namespace

namespace {

// Whether a copy may use memory of pools of other devices without their permission.
enum class pool_rule { need_access, any };

call_status copy_range(call_kind call, cudaStream_t stream, const copy& range, cudaMemcpyKind kind,
                       pool_rule pools) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  const auto target = native(stream);
  if (!target) return target;
  if (range.bytes == 0) return target->device();
  const auto endpoints = locate_endpoints(range.dst, range.src, kind);
  if (!endpoints) return endpoints;
  if (pools == pool_rule::need_access) {
    if (const call_status s = check_access(*target, *endpoints); !s.ok()) return s;
  }
  const return_point point = return_point_of(call, *endpoints, range.bytes);
  return in_owner_order(stream, *target, *endpoints, [&]() -> call_status {
    if (point != return_point::source_read)
      return finish(*target, point, [&] { return submit(*target, range); });
    return submit(*target, std::span(&range, 1), {.order = source_access::during_call});
  });
}

call_status copy_pitched(call_kind call, cudaStream_t stream, const pitched_copy& box_copy,
                         cudaMemcpyKind kind, pool_rule pools) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  const auto target = native(stream);
  if (!target) return target;
  if (is_empty(box_copy.extent)) return target->device();
  if (box_copy.dst.pitch < box_copy.extent.width || box_copy.src.pitch < box_copy.extent.width) {
    return status{errc::invalid_pitch};
  }
  if (box_copy.dst.pitch > max_pitch || box_copy.src.pitch > max_pitch) {
    return status{errc::invalid_argument};
  }
  const auto endpoints = locate_endpoints(box_copy.dst.start, box_copy.src.start, kind);
  if (!endpoints) return endpoints;
  if (pools == pool_rule::need_access) {
    if (const call_status s = check_access(*target, *endpoints); !s.ok()) return s;
  }
  const return_point point = return_point_of(call, *endpoints, bytes_in(box_copy.extent));
  return in_owner_order(stream, *target, *endpoints, [&]() -> call_status {
    if (point != return_point::source_read)
      return finish(*target, point, [&] { return submit(*target, box_copy); });
    return submit(*target, rows_of(box_copy), {.order = source_access::during_call});
  });
}

}  // namespace

call_status copy_bytes(call_kind call, cudaStream_t stream, const copy& range,
                       cudaMemcpyKind kind) {
  return copy_range(call, stream, range, kind, pool_rule::need_access);
}

call_status copy_box(call_kind call, cudaStream_t stream, const pitched_copy& box_copy,
                     cudaMemcpyKind kind) {
  return copy_pitched(call, stream, box_copy, kind, pool_rule::need_access);
}

call_status box_of(const cudaMemcpy3DParms& from, pitched_copy* into) {
  return box_of_parameters(from, into);
}

call_status box_of(const cudaMemcpy3DPeerParms& from, pitched_copy* into) {
  return box_of_parameters(from, into);
}

namespace {

call_status copy_peers_in_stream(cudaStream_t stream, const pitched_copy& box_copy, int dst_device,
                                 int src_device) {
  if (!device_exists(dst_device) || !device_exists(src_device)) return cudaErrorInvalidDevice;
  if (is_empty(box_copy.extent)) return cudaSuccess;
  for (const auto& [start, device] :
       {std::pair{box_copy.dst.start, dst_device}, {box_copy.src.start, src_device}}) {
    const auto located = locate(start);
    if (!located) return located;
    if (located->kind == memory_kind::device && ordinal_of(located->device) != device) {
      return status{errc::wrong_location, copy_side::none, {}, start};
    }
  }
  if (box_copy.extent.height == 1 && box_copy.extent.depth == 1) {
    return copy_range(call_kind::async, stream,
                      {box_copy.dst.start, box_copy.src.start, box_copy.extent.width},
                      cudaMemcpyDefault, pool_rule::any);
  }
  return copy_pitched(call_kind::async, stream, box_copy, cudaMemcpyDefault, pool_rule::any);
}

call_status copy_peers_in_device_order(const pitched_copy& box_copy, int dst_device,
                                       int src_device) {
  const auto current = native(cudaStreamLegacy);
  if (!current) return current;
  const bool waits = must_wait(base_of(box_copy.dst.start), base_of(box_copy.src.start));
  if (const call_status s = check_may_wait(); waits && !s.ok()) return s;
  const auto dst_owner = device_at(dst_device);
  const auto src_owner = device_at(src_device);
  if (!dst_owner || !src_owner) return cudaErrorInvalidDevice;
  const auto dst_stream = device(*dst_owner).default_stream();
  if (!dst_stream) return dst_stream;
  const auto src_stream = device(*src_owner).default_stream();
  if (!src_stream) return src_stream;

  if (const status s = order(*current, *dst_stream); !s.ok()) return s;
  if (const status s = order(*current, *src_stream); !s.ok()) return s;
  const call_status copied =
      copy_peers_in_stream(cudaStreamLegacy, box_copy, dst_device, src_device);
  if (!copied.ok()) return copied;
  if (const status s = order(*dst_stream, *current); !s.ok()) return s;
  if (const status s = order(*src_stream, *current); !s.ok()) return s;
  return waits ? current->synchronize() : status{};
}

}  // namespace

call_status copy_between_devices(call_kind call, cudaStream_t stream, const pitched_copy& box_copy,
                                 int dst_device, int src_device) {
  const bool in_device_order = call == call_kind::sync && is_legacy(stream);
  return in_device_order ? copy_peers_in_device_order(box_copy, dst_device, src_device)
                         : copy_peers_in_stream(stream, box_copy, dst_device, src_device);
}

call_status fill_box(call_kind call, cudaStream_t stream, const pitched& memory, const box& extent,
                     fill_pattern pattern) {
  const auto target = native(stream);
  if (!target) return target;
  if (is_empty(extent)) return target->device();
  const auto located = locate(memory.start);
  if (!located) return located;
  if (located->kind == memory_kind::pageable) {
    return status{errc::wrong_location, copy_side::destination, {}, memory.start};
  }
  const bool waits =
      call == call_kind::sync && (is_host(located->kind) || must_wait(located->base, nullptr));
  const call_status filled = finish(*target, waits ? return_point::landed : return_point::submitted,
                                    [&] { return fill(*target, memory, extent, pattern); });
  // Unlike copies, fills have no code of their own for a bad pitch.
  if (filled.code() != cudaErrorInvalidPitchValue) return filled;
  return {cudaErrorInvalidValue, filled.cause()};
}

}  // namespace convoy::cuda
