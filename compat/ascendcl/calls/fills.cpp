// Fills, and two-dimensional copies.
#include <convoy/device.hpp>
#include <convoy/memory.hpp>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/soc.hpp"

namespace convoy::ascendcl {
namespace {

struct fill_call {
  void* start;
  std::size_t capacity;
  std::size_t bytes;
  fill_pattern pattern;
};

call_status check(const fill_call& f) {
  if (f.start == nullptr) return invalid_param("devPtr is NULL");
  if (f.bytes <= f.capacity) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "count is larger than maxCount");
}

call_status fill_sync(const fill_call& f) {
  if (auto checked = check(f); !checked.ok()) return checked;
  return run_on_sync_stream(
      [&](stream_ref stream) { return fill(stream, f.start, f.bytes, f.pattern); });
}

call_status fill_async(const fill_call& f, aclrtStream handle) {
  if (auto checked = check(f); !checked.ok()) return checked;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  return record_submitted(handle, fill(*stream, f.start, f.bytes, f.pattern));
}

call_status check(const d32_fill& f) {
  constexpr std::size_t unit = 4;
  if (f.start == nullptr) return invalid_param("ptr is NULL");
  if (auto supported = require(feature::d32_fills); !supported.ok()) return supported;
  if (reinterpret_cast<std::uintptr_t>(f.start) % unit != 0)
    return invalid_param("ptr is not a multiple of 4");
  if (f.count > f.capacity / unit) return invalid_param("memSize is less than 4 * N");
  const auto attributes = locate(f.start);
  const bool not_ours = !attributes || attributes->kind == memory_kind::pageable ||
                        attributes->kind == memory_kind::registered;
  if (not_ours) return invalid_param("ptr is not memory that AscendCL allocated");
  return {};
}

fill_call as_fill(const byte_fill& f) {
  return {f.start, f.capacity, f.bytes, {.value = static_cast<std::uint32_t>(f.value) & 0xFF}};
}

fill_call as_fill(const d32_fill& f) {
  return {f.start, f.capacity, f.count * 4, {.value = f.value, .unit = 4}};
}

bool is_empty(const copy_2d_call& r) { return r.width == 0 || r.height == 0; }

pitched_copy as_copy(const copy_2d_call& r) {
  return {{r.dst, r.dst_pitch}, {const_cast<void*>(r.src), r.src_pitch}, {r.width, r.height}};
}

call_status check(const copy_2d_call& r) {
  constexpr std::size_t max_width = 5'000'000;
  constexpr std::size_t max_height = 5'242'880;
  if (r.dst == nullptr || r.src == nullptr)
    return missing_argument({{"dst", r.dst}, {"src", r.src}});
  if (r.width > r.dst_pitch || r.width > r.src_pitch) {
    return invalid_param("width is larger than " +
                         std::string(r.width > r.dst_pitch ? "dpitch" : "spitch"));
  }
  if (r.kind < ACL_MEMCPY_HOST_TO_HOST || r.kind > ACL_MEMCPY_DEFAULT) {
    return invalid_param("kind is " + std::to_string(r.kind) + ", the call takes 0 to 4");
  }
  if (r.width > max_width)
    return failed(ACL_ERROR_RT_PARAM_INVALID, "width is greater than 5000000");
  if (r.height > max_height)
    return failed(ACL_ERROR_RT_PARAM_INVALID, "height is greater than 5242880");
  return {};
}

bool connected(device_id first, device_id second) {
  const auto first_to_second = device(first).has_access(second);
  const auto second_to_first = device(second).has_access(first);
  return (first_to_second && *first_to_second) || (second_to_first && *second_to_first);
}

// The effective kind of a two-dimensional copy, and whether it touches pageable memory.
struct copy_2d_route {
  aclrtMemcpyKind kind = ACL_MEMCPY_DEFAULT;
  bool pageable = false;
};

lookup<copy_2d_route> route_of(const copy_2d_call& r) {
  const auto src = locate(r.src);
  if (!src) return call_status_of(src.error());
  const auto dst = locate(r.dst);
  if (!dst) return call_status_of(dst.error());
  const auto kind = effective_kind(r.kind, endpoint_of(*src), endpoint_of(*dst));
  if (!kind) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "kind does not match the locations of dst and src");
  }
  if (*kind == ACL_MEMCPY_HOST_TO_HOST) {
    return unsupported("dst and src are host memory");
  }
  const bool different_devices = *kind == ACL_MEMCPY_DEVICE_TO_DEVICE && src->device != dst->device;
  if (different_devices && !connected(src->device, dst->device)) {
    return call_status_of({errc::no_peer_access, copy_side::destination, {}, r.dst});
  }
  const bool pageable = src->kind == memory_kind::pageable || dst->kind == memory_kind::pageable;
  return copy_2d_route{*kind, pageable};
}

}  // namespace

call_status fill_sync(const byte_fill& f) { return fill_sync(as_fill(f)); }

call_status fill_async(const byte_fill& f, aclrtStream handle) {
  return fill_async(as_fill(f), handle);
}

call_status fill_sync(const d32_fill& f) {
  auto checked = check(f);
  return checked.ok() ? fill_sync(as_fill(f)) : checked;
}

call_status fill_async(const d32_fill& f, aclrtStream handle) {
  auto checked = check(f);
  return checked.ok() ? fill_async(as_fill(f), handle) : checked;
}

call_status copy_2d_sync(const copy_2d_call& r) {
  if (is_empty(r)) return {};
  if (auto checked = check(r); !checked.ok()) return checked;
  const auto route = route_of(r);
  if (!route) return route.error;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    return unsupported("within a device, rows are copied asynchronously only");
  }
  return run_on_sync_stream([&](stream_ref stream) { return submit(stream, as_copy(r)); });
}

call_status copy_2d_async(const copy_2d_call& r, aclrtStream handle) {
  if (is_empty(r)) return {};
  if (auto checked = check(r); !checked.ok()) return checked;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  const auto route = route_of(r);
  if (!route) return route.error;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    if (auto supported = require(feature::pitched_on_device); !supported.ok()) return supported;
  }
  const auto submitted = submit(*stream, as_copy(r));
  if (submitted && route->pageable) {
    const status s = stream->synchronize(*submitted);
    if (!s.ok()) return call_status_of_step(s);
  }
  return record_submitted(handle, submitted);
}

}  // namespace convoy::ascendcl
