// Copies and cache operations described in device memory.
//
// 32-byte form: 12 reserved bytes, length (32 bits), source, destination.
// 64-byte form: 32 reserved bytes, source, destination, length (32 bits), 12 reserved bytes.
// Reserved bytes are the hardware's; here they are neither read nor written. A cache operation has
// no destination.
#include <algorithm>
#include <array>
#include <convoy/memory.hpp>
#include <cstring>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/models.hpp"

namespace convoy::ascendcl {
namespace {

outcome check_kind(aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) {
    return refused("kind is none of the kinds");
  }
  if (kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) return {};
  return unsupported("only ACL_MEMCPY_INNER_DEVICE_TO_DEVICE is described in device memory");
}

outcome check_place(const void* descriptor) {
  if (reinterpret_cast<std::uintptr_t>(descriptor) % 64 != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the descriptor is at no multiple of 64");
  }
  const auto where = locate(descriptor);
  if (!where) return outcome_of(where.error());
  if (where->kind == memory_kind::device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "the descriptor is not device memory");
}

outcome check_ends(const void* src, const void* dst) {
  const auto from = locate(src);
  if (!from) return outcome_of(from.error());
  const auto to = locate(dst);
  if (!to) return outcome_of(to.error());
  const bool on_one_device = from->kind == memory_kind::device && to->kind == memory_kind::device &&
                             from->device == to->device;
  if (on_one_device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "srcAddr and dstAddr are not memory of one device");
}

outcome check(const description& d) {
  if (d.at == nullptr || d.src == nullptr || d.dst == nullptr || d.bytes == 0) {
    return refused("desc, srcAddr or dstAddr is NULL, or count is 0");
  }
  if (d.config != nullptr) return refused("config is not NULL");
  if (auto known = check_kind(d.kind); !known.ok()) return known;
  if (auto there = demand_lightly(feature::descriptors); !there.ok()) return there;
  if (d.bytes > UINT32_MAX) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "count does not fit the 32 bits of a descriptor");
  }
  if (const auto now = current_context(); !now) return now.why;
  if (auto fits = check_place(d.at); !fits.ok()) return fits;
  return check_ends(d.src, d.dst);
}

outcome check(const cache_description& d) {
  if (d.at == nullptr || d.src == nullptr || d.bytes == 0) {
    return refused("cmoDesc or src is NULL, or size is 0");
  }
  if (auto there = demand_lightly(feature::cache_descriptors); !there.ok()) return there;
  if (d.bytes > UINT32_MAX) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "size does not fit the 32 bits of a descriptor");
  }
  const auto now = current_context();
  if (!now) return now.why;
  if (auto fits = check_place(d.at); !fits.ok()) return fits;
  const auto where = locate(d.src);
  if (!where) return outcome_of(where.error());
  if (where->kind == memory_kind::device && where->device == (*now)->device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "src is not memory of the current device");
}

outcome check_operation(aclrtCmoType type) {
  switch (type) {
    case ACL_RT_CMO_TYPE_PREFETCH: return {};
    case ACL_RT_CMO_TYPE_WRITEBACK:
    case ACL_RT_CMO_TYPE_INVALID:
    case ACL_RT_CMO_TYPE_FLUSH:
      return unsupported("only ACL_RT_CMO_TYPE_PREFETCH is described in device memory");
  }
  return refused("cmoType is none of the operations");
}

}  // namespace

outcome get_descriptor_size(aclrtMemcpyKind kind, std::size_t* into) {
  if (into == nullptr) return refused("descSize is NULL");
  if (auto known = check_kind(kind); !known.ok()) return known;
  if (auto there = demand(feature::descriptors); !there.ok()) return there;
  *into = this_model().of.descriptor.bytes;
  return {};
}

// The fields lie side by side in either form; the bytes around them are left alone. Written by a
// copy, because the host may be out of reach of device memory.
outcome write_descriptor(const description& d) {
  if (auto sound = check(d); !sound.ok()) return sound;
  const descriptor_layout& layout = this_model().of.descriptor;
  const std::uint32_t first = std::min(layout.source_offset, layout.length_offset);
  const auto length = static_cast<std::uint32_t>(d.bytes);
  std::byte fields[20];
  std::memcpy(fields + (layout.source_offset - first), &d.src, sizeof d.src);
  std::memcpy(fields + (layout.destination_offset - first), &d.dst, sizeof d.dst);
  std::memcpy(fields + (layout.length_offset - first), &length, sizeof length);
  auto* const into = static_cast<std::byte*>(d.at) + first;
  return run_aside([&](stream_ref aside) {
    return submit(aside, copy{into, fields, sizeof fields});
  });
}

outcome launch_descriptor(void* descriptor, aclrtMemcpyKind kind, aclrtStream handle) {
  if (descriptor == nullptr || handle == nullptr) return refused("desc or stream is NULL");
  if (auto known = check_kind(kind); !known.ok()) return known;
  if (auto there = demand_lightly(feature::descriptors); !there.ok()) return there;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  if (auto fits = check_place(descriptor); !fits.ok()) return fits;
  return submitted(handle, copy_indirect(*to, descriptor, this_model().of.descriptor));
}

outcome get_cache_descriptor_size(std::size_t* into) {
  if (into == nullptr) return refused("size is NULL");
  if (auto there = demand(feature::cache_descriptors); !there.ok()) return there;
  *into = this_model().of.descriptor.bytes;
  return {};
}

// Source and length alone: they need not lie side by side.
outcome write_descriptor(const cache_description& d) {
  if (auto sound = check(d); !sound.ok()) return sound;
  const descriptor_layout& layout = this_model().of.descriptor;
  const auto length = static_cast<std::uint32_t>(d.bytes);
  auto* const into = static_cast<std::byte*>(d.at);
  const std::array fields{copy{into + layout.source_offset, &d.src, sizeof d.src},
                          copy{into + layout.length_offset, &length, sizeof length}};
  return run_aside([&](stream_ref aside) { return submit(aside, fields); });
}

outcome launch_descriptor(void* descriptor, aclrtCmoType type, aclrtStream handle,
                          const void* reserve) {
  if (descriptor == nullptr || handle == nullptr) return refused("cmoDesc or stream is NULL");
  if (reserve != nullptr) return refused("reserve is not NULL");
  if (auto known = check_operation(type); !known.ok()) return known;
  if (auto there = demand_lightly(feature::cache_descriptors); !there.ok()) return there;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  if (auto fits = check_place(descriptor); !fits.ok()) return fits;
  return submitted(handle, prefetch_indirect(*to, descriptor, this_model().of.descriptor));
}

}  // namespace convoy::ascendcl
