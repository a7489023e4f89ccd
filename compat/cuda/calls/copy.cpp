#include "calls/copy.hpp"

#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/memory.hpp>
#include <convoy/stream.hpp>

#include "state/allocations.hpp"
#include "state/context.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

// Sources up to this size are set aside during the call rather than waited for.
constexpr std::size_t short_source = 64 << 10;
constexpr std::size_t widest_pitch = 0x7FFFFFFF;

struct ends {
  pointer_attributes dst;
  pointer_attributes src;
};

enum class until { submitted, source_read, landed };

bool says_device_dst(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool says_device_src(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

// Pinned and managed memory is both the host's and the device's.
bool contradicts(bool says_device, memory_kind kind) {
  return says_device ? kind == memory_kind::pageable : kind == memory_kind::device;
}

// What the pointers point into, after a look whether that is what the caller says they do.
result<ends> ends_of(const void* dst, const void* src, cudaMemcpyKind kind) {
  const auto to = locate(dst);
  if (!to) return status{to.error().code, copy_side::destination, {}, dst};
  const auto from = locate(src);
  if (!from) return status{from.error().code, copy_side::source, {}, src};
  if (kind == cudaMemcpyDefault) return ends{*to, *from};
  if (contradicts(says_device_dst(kind), to->kind)) {
    return status{errc::wrong_location, copy_side::destination, {}, dst};
  }
  if (contradicts(says_device_src(kind), from->kind)) {
    return status{errc::wrong_location, copy_side::source, {}, src};
  }
  return ends{*to, *from};
}

bool is_kind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

// Whether calls that need not wait do all the same, in the current context or for the allocations.
bool has_to_wait(const void* one, const void* other) {
  return waits_for_memory() || is_synchronous(one) || is_synchronous(other);
}

until waits_until(manner how, const ends& between, std::size_t bytes) {
  const memory_kind dst = between.dst.kind;
  const memory_kind src = between.src.kind;
  if (how == manner::in_passing) {
    const bool on_devices = dst == memory_kind::device && src == memory_kind::device;
    return on_devices && !has_to_wait(between.dst.base, between.src.base) ? until::submitted
                                                                          : until::landed;
  }
  if (is_host(dst) && is_host(src)) return until::landed;
  if (dst == memory_kind::pageable) return until::landed;
  if (src != memory_kind::pageable) return until::submitted;
  return bytes <= short_source ? until::source_read : until::landed;
}

// Submits a step and waits for it, if that is to be; nothing is submitted where waiting is refused.
template <class Submit>
outcome finish(stream_ref stream, until when, const Submit& submit) {
  if (when != until::landed) return submit();
  if (const outcome o = may_wait(); !o.ok()) return o;
  const result<ticket> at = submit();
  return at ? outcome(stream.synchronize(*at)) : outcome(at);
}

const void* base_of(const void* pointer) {
  const auto where = locate(pointer);
  return where ? where->base : nullptr;
}

bool has_device(int number) {
  const auto count = device_count();
  return count && number >= 0 && number < *count;
}

// Work submitted to `later` from now on runs after what `earlier` holds now.
status order(stream_ref later, stream_ref earlier) {
  if (later == earlier) return {};
  const auto on = earlier.device();
  if (!on) return on.error();
  const auto mark = make_event(*on, {.timing = false});
  if (!mark) return mark.error();
  if (const auto at = record(earlier, *mark); !at) return at.error();
  return wait(later, *mark).error();
}

outcome checked_pitch(const cudaPitchedPtr& of, const cudaPos& at, const cudaExtent& extent) {
  if (of.pitch < extent.width) return cudaErrorInvalidPitchValue;
  if (of.pitch > widest_pitch || at.x > of.pitch - extent.width) return cudaErrorInvalidValue;
  return cudaSuccess;
}

bool is_nothing(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

outcome side_of(const cudaPitchedPtr& of, const cudaPos& at, const cudaExtent& extent,
                pitched* into) {
  if (of.ptr == nullptr) return cudaErrorInvalidValue;
  if (const outcome o = checked_pitch(of, at, extent); !o.ok()) return o;
  std::size_t slice = 0;
  std::size_t before = 0;
  const bool fits = !__builtin_mul_overflow(of.pitch, of.ysize, &slice) &&
                    !__builtin_mul_overflow(slice, at.z, &before) && at.y <= widest_pitch &&
                    !__builtin_add_overflow(before, of.pitch * at.y + at.x, &before);
  if (!fits || (extent.depth > 1 && of.ysize < extent.height)) return cudaErrorInvalidValue;
  *into = {static_cast<std::byte*>(of.ptr) + before, of.pitch, of.ysize};
  return cudaSuccess;
}

template <class Parameters>
outcome box_of_parameters(const Parameters& from, pitched_copy* into) {
  if (from.srcArray != nullptr || from.dstArray != nullptr) return status{errc::not_supported};
  into->extent = {from.extent.width, from.extent.height, from.extent.depth};
  if (is_nothing(from.extent)) return cudaSuccess;
  if (const outcome o = side_of(from.srcPtr, from.srcPos, from.extent, &into->src); !o.ok()) {
    return o;
  }
  return side_of(from.dstPtr, from.dstPos, from.extent, &into->dst);
}

bool is_empty(const box& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

}  // namespace

outcome copy_bytes(manner how, cudaStream_t stream, const copy& what, cudaMemcpyKind kind) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  const auto to = native(stream);
  if (!to) return to;
  if (what.bytes == 0) return to->device();
  const auto between = ends_of(what.dst, what.src, kind);
  if (!between) return between;
  const until when = waits_until(how, *between, what.bytes);
  if (when != until::source_read) return finish(*to, when, [&] { return submit(*to, what); });
  return submit(*to, std::span(&what, 1), {.order = source_access::during_call});
}

outcome copy_box(manner how, cudaStream_t stream, const pitched_copy& what, cudaMemcpyKind kind) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  const auto to = native(stream);
  if (!to) return to;
  if (is_empty(what.extent)) return to->device();
  if (what.dst.pitch < what.extent.width || what.src.pitch < what.extent.width) {
    return status{errc::invalid_pitch};
  }
  if (what.dst.pitch > widest_pitch || what.src.pitch > widest_pitch) {
    return status{errc::invalid_argument};
  }
  const auto between = ends_of(what.dst.start, what.src.start, kind);
  if (!between) return between;
  const until when = waits_until(how, *between, SIZE_MAX);
  return finish(*to, when, [&] { return submit(*to, what); });
}

outcome box_of(const cudaMemcpy3DParms& from, pitched_copy* into) {
  return box_of_parameters(from, into);
}

outcome box_of(const cudaMemcpy3DPeerParms& from, pitched_copy* into) {
  return box_of_parameters(from, into);
}

outcome copy_between_devices(cudaStream_t stream, const pitched_copy& what, int dst_device,
                             int src_device) {
  if (!has_device(dst_device) || !has_device(src_device)) return cudaErrorInvalidDevice;
  if (is_empty(what.extent)) return cudaSuccess;
  for (const auto& [start, device] :
       {std::pair{what.dst.start, dst_device}, {what.src.start, src_device}}) {
    const auto where = locate(start);
    if (!where) return where;
    if (where->kind == memory_kind::device && number(where->device) != device) {
      return status{errc::wrong_location, copy_side::none, {}, start};
    }
  }
  if (what.extent.height == 1 && what.extent.depth == 1) {
    return copy_bytes(manner::in_stream, stream,
                      {what.dst.start, what.src.start, what.extent.width}, cudaMemcpyDefault);
  }
  return copy_box(manner::in_stream, stream, what, cudaMemcpyDefault);
}

outcome copy_between_devices(const pitched_copy& what, int dst_device, int src_device) {
  const auto here = native(cudaStreamLegacy);
  if (!here) return here;
  const bool waits = has_to_wait(base_of(what.dst.start), base_of(what.src.start));
  if (const outcome o = may_wait(); waits && !o.ok()) return o;
  const auto there = device(device_id{dst_device}).default_stream();
  if (!there) return there;
  const auto origin = device(device_id{src_device}).default_stream();
  if (!origin) return origin;

  if (const status s = order(*here, *there); !s.ok()) return s;
  if (const status s = order(*here, *origin); !s.ok()) return s;
  const outcome o = copy_between_devices(cudaStreamLegacy, what, dst_device, src_device);
  if (!o.ok()) return o;
  if (const status s = order(*there, *here); !s.ok()) return s;
  if (const status s = order(*origin, *here); !s.ok()) return s;
  return waits ? here->synchronize() : status{};
}

outcome fill_box(manner how, cudaStream_t stream, const pitched& where, const box& extent,
                 fill_pattern pattern) {
  const auto to = native(stream);
  if (!to) return to;
  if (is_empty(extent)) return to->device();
  const auto in = locate(where.start);
  if (!in) return in;
  if (in->kind == memory_kind::pageable) {
    return status{errc::wrong_location, copy_side::destination, {}, where.start};
  }
  const bool waits =
      how == manner::in_passing && (is_host(in->kind) || has_to_wait(in->base, nullptr));
  return finish(*to, waits ? until::landed : until::submitted,
                [&] { return fill(*to, where, extent, pattern); });
}

}  // namespace convoy::cuda
