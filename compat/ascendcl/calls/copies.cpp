#include "calls/copies.hpp"

#include <convoy/memory.hpp>

#include "calls/copy_steps.hpp"
#include "state/soc.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

// The kinds that are accepted when an endpoint is unregistered memory, and the meaning of DEFAULT.
struct allowed_kinds {
  std::uint8_t kinds;
  aclrtMemcpyKind by_default;
};

constexpr std::uint8_t bit(aclrtMemcpyKind kind) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

allowed_kinds allowed_between(copy_endpoint src, copy_endpoint dst) {
  constexpr auto h2h = ACL_MEMCPY_HOST_TO_HOST;
  constexpr auto h2d = ACL_MEMCPY_HOST_TO_DEVICE;
  constexpr auto d2h = ACL_MEMCPY_DEVICE_TO_HOST;
  constexpr auto d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (dst == copy_endpoint::device) return {static_cast<std::uint8_t>(bit(h2d) | bit(d2d)), h2d};
  if (src == copy_endpoint::device) return {static_cast<std::uint8_t>(bit(d2h) | bit(d2d)), d2h};
  if (src == copy_endpoint::host) return {static_cast<std::uint8_t>(bit(h2h) | bit(h2d)), h2h};
  if (dst == copy_endpoint::host) return {static_cast<std::uint8_t>(bit(h2h) | bit(d2h)), h2h};
  return {static_cast<std::uint8_t>(bit(h2h) | bit(h2d) | bit(d2h) | bit(d2d)), h2h};
}

call_status check(const copy_call& c) {
  if (c.dst == nullptr || c.src == nullptr)
    return missing_argument({{"dst", c.dst}, {"src", c.src}});
  if (c.kind < ACL_MEMCPY_HOST_TO_HOST || c.kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    return invalid_param("kind is " + std::to_string(c.kind) + ", the call takes 0 to 5");
  }
  if (c.bytes <= c.capacity) return {};
  return failed(
      ACL_ERROR_RT_PARAM_INVALID,
      "count " + std::to_string(c.bytes) + " is larger than destMax " + std::to_string(c.capacity));
}

lookup<aclrtMemcpyKind> effective_kind(const copy_call& c) {
  const auto src = locate(c.src);
  if (!src) return call_status_of(src.error());
  const auto dst = locate(c.dst);
  if (!dst) return call_status_of(dst.error());
  const auto kind = effective_kind(c.kind, endpoint_of(*src), endpoint_of(*dst));
  if (kind) return {*kind};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "kind does not match the locations of dst and src");
}

result<ticket> submit_one(stream_ref stream, const copy_call& c, const attribute_run& run,
                          const batch_rules& rules) {
  return submit(stream, {{&c.dst, 1}, {&c.src, 1}, {&c.bytes, 1}, {}, {&run, 1}}, rules);
}

}  // namespace

std::string describe_memory(const pointer_attributes& attributes) {
  switch (attributes.kind) {
    case memory_kind::pageable: return "pageable host memory";
    case memory_kind::pinned: return "pinned host memory";
    case memory_kind::registered: return "registered host memory";
    case memory_kind::managed: return "managed memory";
    case memory_kind::device:
      return "memory of device " + std::to_string(program_devices().number_of(attributes.device));
  }
  return "unknown memory";
}

copy_endpoint endpoint_of(const pointer_attributes& attributes) {
  switch (attributes.kind) {
    case memory_kind::pageable: return copy_endpoint::unregistered;
    case memory_kind::pinned:
    case memory_kind::registered: return copy_endpoint::host;
    case memory_kind::managed:
    case memory_kind::device: return copy_endpoint::device;
  }
  return copy_endpoint::unregistered;
}

std::optional<aclrtMemcpyKind> effective_kind(aclrtMemcpyKind requested, copy_endpoint src,
                                              copy_endpoint dst) {
  const bool from_device = src == copy_endpoint::device;
  const bool to_device = dst == copy_endpoint::device;
  if (src != copy_endpoint::unregistered && dst != copy_endpoint::unregistered) {
    if (from_device) return to_device ? ACL_MEMCPY_DEVICE_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
    return to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_HOST_TO_HOST;
  }
  const allowed_kinds allowed = allowed_between(src, dst);
  if (requested == ACL_MEMCPY_DEFAULT) return allowed.by_default;
  const bool staged = requested == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  if ((allowed.kinds & bit(staged ? ACL_MEMCPY_HOST_TO_DEVICE : requested)) == 0) return {};
  // A copy with one device endpoint is host to device or device to host, even if it was requested
  // as device to device.
  return from_device || to_device ? allowed.by_default : ACL_MEMCPY_HOST_TO_HOST;
}

call_status copy_async(const copy_call& c, aclrtStream handle) {
  if (c.bytes == 0) return {};
  if (auto checked = check(c); !checked.ok()) return checked;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  const auto kind = effective_kind(c);
  if (!kind) return kind.error;
  if (*kind == ACL_MEMCPY_HOST_TO_HOST && !soc().on_device) {
    return unsupported("dst and src are host memory, which is not copied asynchronously");
  }
  if (c.dst == c.src) return {};

  const bool staged = c.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  attribute_run run;
  batch_rules rules = one_copy;
  if (staged) {
    run.attrs.order = source_access::during_call;
    rules.pageable_blocks = false;
  }
  return record_submitted(handle, submit_one(*stream, c, run, rules));
}

call_status copy_sync(const copy_call& c) {
  if (c.bytes == 0) return {};
  if (auto checked = check(c); !checked.ok()) return checked;
  return run_on_sync_stream([&](stream_ref stream) { return submit_one(stream, c, {}, one_copy); });
}

call_status copy_by_offsets(const offset_call& c, aclrtStream handle) {
  constexpr std::size_t max_offset = 0xFFFFFFFFFFFF;
  if (c.bytes == 0) return {};
  if (c.dst == nullptr || c.src == nullptr)
    return missing_argument({{"dst", c.dst}, {"src", c.src}});
  if (auto supported = require(feature::offset_copies); !supported.ok()) return supported;
  if (c.kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "kind is " + std::to_string(c.kind) +
                      ", the call takes ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6)");
  }
  if (c.dst_offset > max_offset || c.src_offset > max_offset) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  std::string(c.dst_offset > max_offset ? "dst" : "src") +
                      "DataOffset is greater than 0xFFFFFFFFFFFF");
  }
  if (c.dst_offset >= c.capacity || c.bytes > c.capacity - c.dst_offset) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "count " + std::to_string(c.bytes) +
                                                  " at dstDataOffset " +
                                                  std::to_string(c.dst_offset) +
                                                  " exceeds destMax " + std::to_string(c.capacity));
  }
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  return record_submitted(
      handle, copy_indirect(*stream, {c.dst, c.dst_offset, c.src, c.src_offset, c.bytes}));
}

}  // namespace convoy::ascendcl
