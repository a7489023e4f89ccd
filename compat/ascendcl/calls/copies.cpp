#include "calls/copies.hpp"

#include <convoy/memory.hpp>

#include "calls/copy_steps.hpp"
#include "state/models.hpp"

namespace convoy::ascendcl {
namespace {

// Kinds that a copy with an unregistered end may be called, and what DEFAULT makes of it.
struct allowance {
  std::uint8_t kinds;
  aclrtMemcpyKind by_default;
};

constexpr std::uint8_t bit(aclrtMemcpyKind kind) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

allowance allowed_between(end_of_copy src, end_of_copy dst) {
  constexpr auto h2h = ACL_MEMCPY_HOST_TO_HOST;
  constexpr auto h2d = ACL_MEMCPY_HOST_TO_DEVICE;
  constexpr auto d2h = ACL_MEMCPY_DEVICE_TO_HOST;
  constexpr auto d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (dst == end_of_copy::device) return {static_cast<std::uint8_t>(bit(h2d) | bit(d2d)), h2d};
  if (src == end_of_copy::device) return {static_cast<std::uint8_t>(bit(d2h) | bit(d2d)), d2h};
  if (src == end_of_copy::host) return {static_cast<std::uint8_t>(bit(h2h) | bit(h2d)), h2h};
  if (dst == end_of_copy::host) return {static_cast<std::uint8_t>(bit(h2h) | bit(d2h)), h2h};
  return {static_cast<std::uint8_t>(bit(h2h) | bit(h2d) | bit(d2h) | bit(d2d)), h2h};
}

outcome check(const copy_call& c) {
  if (c.dst == nullptr || c.src == nullptr) return refused("dst or src is NULL");
  if (c.kind < ACL_MEMCPY_HOST_TO_HOST || c.kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    return refused("kind is none of those this call takes");
  }
  if (c.bytes <= c.capacity) return {};
  return failed(
      ACL_ERROR_RT_PARAM_INVALID,
      "count " + std::to_string(c.bytes) + " is larger than destMax " + std::to_string(c.capacity));
}

found<aclrtMemcpyKind> real_kind(const copy_call& c) {
  const auto src = locate(c.src);
  if (!src) return none<aclrtMemcpyKind>(outcome_of(src.error()));
  const auto dst = locate(c.dst);
  if (!dst) return none<aclrtMemcpyKind>(outcome_of(dst.error()));
  const auto kind = corrected(c.kind, end_at(*src), end_at(*dst));
  if (kind) return {*kind};
  return none<aclrtMemcpyKind>(
      failed(ACL_ERROR_RT_PARAM_INVALID, "kind does not fit where the two pointers are"));
}

result<ticket> submit_one(stream_ref stream, const copy_call& c, const attribute_run& run,
                          const batch_rules& rules) {
  return submit(stream, {{&c.dst, 1}, {&c.src, 1}, {&c.bytes, 1}, {}, {&run, 1}}, rules);
}

}  // namespace

std::string name_of_memory(const pointer_attributes& where) {
  switch (where.kind) {
    case memory_kind::pageable: return "pageable host memory";
    case memory_kind::pinned: return "pinned host memory";
    case memory_kind::registered: return "registered host memory";
    case memory_kind::managed: return "managed memory";
    case memory_kind::device: return "memory of device " + std::to_string(number(where.device));
  }
  return "unknown memory";
}

end_of_copy end_at(const pointer_attributes& where) {
  switch (where.kind) {
    case memory_kind::pageable: return end_of_copy::unregistered;
    case memory_kind::pinned:
    case memory_kind::registered: return end_of_copy::host;
    case memory_kind::managed:
    case memory_kind::device: return end_of_copy::device;
  }
  return end_of_copy::unregistered;
}

std::optional<aclrtMemcpyKind> corrected(aclrtMemcpyKind asked, end_of_copy src, end_of_copy dst) {
  const bool from_device = src == end_of_copy::device;
  const bool to_device = dst == end_of_copy::device;
  if (src != end_of_copy::unregistered && dst != end_of_copy::unregistered) {
    if (from_device) return to_device ? ACL_MEMCPY_DEVICE_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
    return to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_HOST_TO_HOST;
  }
  const allowance may = allowed_between(src, dst);
  if (asked == ACL_MEMCPY_DEFAULT) return may.by_default;
  const bool staged = asked == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  if ((may.kinds & bit(staged ? ACL_MEMCPY_HOST_TO_DEVICE : asked)) == 0) return {};
  // What is called a copy between devices and has an end on the host is the copy it really is.
  return from_device || to_device ? may.by_default : ACL_MEMCPY_HOST_TO_HOST;
}

outcome copy_async(const copy_call& c, aclrtStream handle) {
  if (c.bytes == 0) return {};
  if (auto sound = check(c); !sound.ok()) return sound;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  const auto kind = real_kind(c);
  if (!kind) return kind.why;
  if (*kind == ACL_MEMCPY_HOST_TO_HOST && !this_model().on_device) {
    return unsupported("both pointers are host memory, which is not copied asynchronously");
  }
  if (c.dst == c.src) return {};

  const bool staged = c.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  attribute_run run;
  batch_rules rules = one_copy;
  if (staged) {
    run.attrs.order = source_access::during_call;
    rules.pageable_blocks = false;
  }
  return submitted(handle, submit_one(*to, c, run, rules));
}

outcome copy_sync(const copy_call& c) {
  if (c.bytes == 0) return {};
  if (auto sound = check(c); !sound.ok()) return sound;
  return run_aside([&](stream_ref aside) { return submit_one(aside, c, {}, one_copy); });
}

outcome copy_by_offsets(const offset_call& c, aclrtStream handle) {
  constexpr std::size_t most = 0xFFFFFFFFFFFF;
  if (c.bytes == 0) return {};
  if (c.dst == nullptr || c.src == nullptr) return refused("dst or src is NULL");
  if (auto there = demand(feature::offset_copies); !there.ok()) return there;
  const bool fits = c.dst_offset <= most && c.src_offset <= most && c.dst_offset < c.capacity &&
                    c.bytes <= c.capacity - c.dst_offset;
  if (c.kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE || !fits) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "kind is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, or an offset is out of range");
  }
  const auto to = own_stream(handle);
  if (!to) return to.why;
  return submitted(handle, copy_indirect(*to, {c.dst, c.dst_offset, c.src, c.src_offset, c.bytes}));
}

}  // namespace convoy::ascendcl
