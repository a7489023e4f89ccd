// Fills, and copies of two dimensions.
#include <convoy/device.hpp>
#include <convoy/memory.hpp>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/models.hpp"

namespace convoy::ascendcl {
namespace {

struct fill_call {
  void* at;
  std::size_t capacity;
  std::size_t bytes;
  fill_pattern pattern;
};

outcome check(const fill_call& f) {
  if (f.at == nullptr) return refused("devPtr is NULL");
  if (f.bytes <= f.capacity) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "count is larger than maxCount");
}

outcome fill_now(const fill_call& f) {
  if (auto sound = check(f); !sound.ok()) return sound;
  return run_aside([&](stream_ref aside) { return fill(aside, f.at, f.bytes, f.pattern); });
}

outcome fill_in_order(const fill_call& f, aclrtStream handle) {
  if (auto sound = check(f); !sound.ok()) return sound;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  return submitted(handle, fill(*to, f.at, f.bytes, f.pattern));
}

outcome check(const word_fill& f) {
  constexpr std::size_t word = 4;
  if (f.at == nullptr) return refused("ptr is NULL");
  if (auto there = demand(feature::word_fills); !there.ok()) return there;
  if (reinterpret_cast<std::uintptr_t>(f.at) % word != 0) return refused("ptr is no multiple of 4");
  if (f.count > f.capacity / word) return refused("memSize is less than 4 * N");
  const auto where = locate(f.at);
  const bool foreign =
      !where || where->kind == memory_kind::pageable || where->kind == memory_kind::registered;
  if (foreign) return refused("ptr is not memory that AscendCL allocated");
  return {};
}

fill_call as_fill(const byte_fill& f) {
  return {f.at, f.capacity, f.bytes, {.value = static_cast<std::uint32_t>(f.value) & 0xFF}};
}

fill_call as_fill(const word_fill& f) {
  return {f.at, f.capacity, f.count * 4, {.value = f.value, .unit = 4}};
}

bool is_empty(const rows_call& r) { return r.width == 0 || r.height == 0; }

pitched_copy as_copy(const rows_call& r) {
  return {{r.dst, r.dst_pitch}, {const_cast<void*>(r.src), r.src_pitch}, {r.width, r.height}};
}

outcome check(const rows_call& r) {
  constexpr std::size_t widest = 5'000'000;
  constexpr std::size_t highest = 5'242'880;
  if (r.dst == nullptr || r.src == nullptr) return refused("dst or src is NULL");
  if (r.width > r.dst_pitch || r.width > r.src_pitch)
    return refused("width is larger than a pitch");
  if (r.kind < ACL_MEMCPY_HOST_TO_HOST || r.kind > ACL_MEMCPY_DEFAULT) {
    return refused("kind is none of those this call takes");
  }
  if (r.width <= widest && r.height <= highest) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "width is over 5000000 or height is over 5242880");
}

bool connected(device_id one, device_id other) {
  const auto there = device(one).has_access(other);
  const auto back = device(other).has_access(one);
  return (there && *there) || (back && *back);
}

// What a copy of rows turns out to be.
struct rows_route {
  aclrtMemcpyKind kind = ACL_MEMCPY_DEFAULT;
  bool pageable = false;
};

found<rows_route> route_of(const rows_call& r) {
  const auto src = locate(r.src);
  if (!src) return none<rows_route>(outcome_of(src.error()));
  const auto dst = locate(r.dst);
  if (!dst) return none<rows_route>(outcome_of(dst.error()));
  const auto kind = corrected(r.kind, end_at(*src), end_at(*dst));
  if (!kind) {
    return none<rows_route>(
        failed(ACL_ERROR_RT_PARAM_INVALID, "kind does not fit where the two pointers are"));
  }
  if (*kind == ACL_MEMCPY_HOST_TO_HOST) {
    return none<rows_route>(unsupported("both pointers are host memory"));
  }
  const bool apart = *kind == ACL_MEMCPY_DEVICE_TO_DEVICE && src->device != dst->device;
  if (apart && !connected(src->device, dst->device)) {
    return none<rows_route>(outcome_of({errc::no_peer_access, copy_side::destination, {}, r.dst}));
  }
  const bool pageable = src->kind == memory_kind::pageable || dst->kind == memory_kind::pageable;
  return {{*kind, pageable}};
}

}  // namespace

outcome fill_sync(const byte_fill& f) { return fill_now(as_fill(f)); }

outcome fill_async(const byte_fill& f, aclrtStream handle) {
  return fill_in_order(as_fill(f), handle);
}

outcome fill_sync(const word_fill& f) {
  auto sound = check(f);
  return sound.ok() ? fill_now(as_fill(f)) : sound;
}

outcome fill_async(const word_fill& f, aclrtStream handle) {
  auto sound = check(f);
  return sound.ok() ? fill_in_order(as_fill(f), handle) : sound;
}

outcome copy_rows_sync(const rows_call& r) {
  if (is_empty(r)) return {};
  if (auto sound = check(r); !sound.ok()) return sound;
  const auto route = route_of(r);
  if (!route) return route.why;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    return unsupported("within devices, rows are copied asynchronously only");
  }
  return run_aside([&](stream_ref aside) { return submit(aside, as_copy(r)); });
}

outcome copy_rows_async(const rows_call& r, aclrtStream handle) {
  if (is_empty(r)) return {};
  if (auto sound = check(r); !sound.ok()) return sound;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  const auto route = route_of(r);
  if (!route) return route.why;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    if (auto there = demand(feature::pitched_on_device); !there.ok()) return there;
  }
  const auto at = submit(*to, as_copy(r));
  if (at && route->pageable) {
    const status s = to->synchronize(*at);
    if (!s.ok()) return outcome_of_step(s);
  }
  return submitted(handle, at);
}

}  // namespace convoy::ascendcl
