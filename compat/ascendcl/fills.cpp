// Fills, and copies of two dimensions.
#include <convoy/device.hpp>
#include <convoy/memory.hpp>

#include "border.hpp"
#include "copies.hpp"
#include "state/models.hpp"

namespace convoy::ascendcl {
namespace {

struct fill_call {
  void* at;
  std::size_t capacity;
  std::size_t bytes;
  fill_pattern pattern;
};

fill_call byte_fill(void* at, std::size_t capacity, std::int32_t value, std::size_t bytes) {
  return {at, capacity, bytes, {.value = static_cast<std::uint32_t>(value) & 0xFF}};
}

outcome check(const fill_call& f) {
  if (f.at == nullptr) return refused("devPtr is NULL");
  if (f.bytes <= f.capacity) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "count is larger than maxCount");
}

outcome check_words(void* at, std::size_t capacity, std::size_t count) {
  constexpr std::size_t word = 4;
  if (at == nullptr) return refused("ptr is NULL");
  if (auto there = demand(feature::word_fills); !there.ok()) return there;
  if (reinterpret_cast<std::uintptr_t>(at) % word != 0) return refused("ptr is no multiple of 4");
  if (count > capacity / word) return refused("memSize is less than 4 * N");
  const auto where = locate(at);
  const bool foreign =
      !where || where->kind == memory_kind::pageable || where->kind == memory_kind::registered;
  if (foreign) return refused("ptr is not memory that AscendCL allocated");
  return {};
}

fill_call word_fill(void* at, std::size_t capacity, std::uint32_t value, std::size_t count) {
  return {at, capacity, count * 4, {.value = value, .unit = 4}};
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

// Rows of `width` bytes.
struct rows_call {
  void* dst;
  std::size_t dst_pitch;
  const void* src;
  std::size_t src_pitch;
  std::size_t width;
  std::size_t height;
  aclrtMemcpyKind kind;

  [[nodiscard]] bool empty() const { return width == 0 || height == 0; }
  [[nodiscard]] pitched_copy as_copy() const {
    return {{dst, dst_pitch}, {const_cast<void*>(src), src_pitch}, {width, height}};
  }
};

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

outcome copy_now(const rows_call& r) {
  if (r.empty()) return {};
  if (auto sound = check(r); !sound.ok()) return sound;
  const auto route = route_of(r);
  if (!route) return route.why;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    return unsupported("within devices, rows are copied asynchronously only");
  }
  return run_aside([&](stream_ref aside) { return submit(aside, r.as_copy()); });
}

outcome copy_in_order(const rows_call& r, aclrtStream handle) {
  if (r.empty()) return {};
  if (auto sound = check(r); !sound.ok()) return sound;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  const auto route = route_of(r);
  if (!route) return route.why;
  if (route->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    if (auto there = demand(feature::pitched_on_device); !there.ok()) return there;
  }
  const auto at = submit(*to, r.as_copy());
  if (at && route->pageable) {
    const status s = to->synchronize(*at);
    if (!s.ok()) return outcome_of_step(s);
  }
  return submitted(handle, at);
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return answer(__func__, [&] { return fill_now(byte_fill(devPtr, maxCount, value, count)); });
}
aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return answer(__func__,
                [&] { return fill_in_order(byte_fill(devPtr, maxCount, value, count), stream); });
}
aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return answer(__func__, [&] {
    auto sound = check_words(ptr, memSize, N);
    return sound.ok() ? fill_now(word_fill(ptr, memSize, value, N)) : sound;
  });
}
aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N,
                             aclrtStream stream) {
  return answer(__func__, [&] {
    auto sound = check_words(ptr, memSize, N);
    return sound.ok() ? fill_in_order(word_fill(ptr, memSize, value, N), stream) : sound;
  });
}
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return answer(__func__, [&] {
    return copy_now({dst, dpitch, src, spitch, width, height, kind});
  });
}
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return answer(__func__, [&] {
    return copy_in_order({dst, dpitch, src, spitch, width, height, kind}, stream);
  });
}
