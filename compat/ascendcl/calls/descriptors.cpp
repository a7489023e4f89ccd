// Copies and cache operations whose arguments are in device memory.
//
// 32-byte form: 12 reserved bytes, length (32 bits), source, destination.
// 64-byte form: 32 reserved bytes, source, destination, length (32 bits), 12 reserved bytes.
// Reserved bytes belong to the hardware and are neither read nor written here. A cache operation
// has no destination.
#include <algorithm>
#include <array>
#include <convoy/memory.hpp>
#include <cstring>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/soc.hpp"

namespace convoy::ascendcl {
namespace {

call_status check_kind(aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) {
    return invalid_param("kind is not a known aclrtMemcpyKind");
  }
  if (kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) return {};
  return unsupported("only ACL_MEMCPY_INNER_DEVICE_TO_DEVICE can be described in device memory");
}

call_status check_address(const void* descriptor) {
  if (reinterpret_cast<std::uintptr_t>(descriptor) % 64 != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the descriptor is not aligned to 64 bytes");
  }
  const auto attributes = locate(descriptor);
  if (!attributes) return call_status_of(attributes.error());
  if (attributes->kind == memory_kind::device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "the descriptor is not device memory");
}

call_status check_same_device(const void* src, const void* dst) {
  const auto source = locate(src);
  if (!source) return call_status_of(source.error());
  const auto destination = locate(dst);
  if (!destination) return call_status_of(destination.error());
  const bool same_device = source->kind == memory_kind::device &&
                           destination->kind == memory_kind::device &&
                           source->device == destination->device;
  if (same_device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "srcAddr and dstAddr are not memory of one device");
}

call_status check(const copy_description& d) {
  if (d.descriptor == nullptr || d.src == nullptr || d.dst == nullptr || d.bytes == 0) {
    return missing_argument(
        {{"desc", d.descriptor}, {"srcAddr", d.src}, {"dstAddr", d.dst}, {"count", d.bytes}});
  }
  if (d.config != nullptr) return invalid_param("config is not NULL");
  if (auto checked = check_kind(d.kind); !checked.ok()) return checked;
  if (auto supported = require_unrecorded(feature::descriptors); !supported.ok()) return supported;
  if (d.bytes > UINT32_MAX) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "count does not fit the 32 bits of a descriptor");
  }
  if (const auto current = current_context(); !current) return current.error;
  if (auto checked = check_address(d.descriptor); !checked.ok()) return checked;
  return check_same_device(d.src, d.dst);
}

call_status check(const cache_description& d) {
  if (d.descriptor == nullptr || d.src == nullptr || d.bytes == 0) {
    return missing_argument({{"cmoDesc", d.descriptor}, {"src", d.src}, {"size", d.bytes}});
  }
  if (auto supported = require_unrecorded(feature::cache_descriptors); !supported.ok())
    return supported;
  if (d.bytes > UINT32_MAX) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "size does not fit the 32 bits of a descriptor");
  }
  const auto current = current_context();
  if (!current) return current.error;
  if (auto checked = check_address(d.descriptor); !checked.ok()) return checked;
  const auto attributes = locate(d.src);
  if (!attributes) return call_status_of(attributes.error());
  if (attributes->kind == memory_kind::device && attributes->device == (*current)->device)
    return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "src is not memory of the current device");
}

call_status check_operation(aclrtCmoType type) {
  switch (type) {
    case ACL_RT_CMO_TYPE_PREFETCH: return {};
    case ACL_RT_CMO_TYPE_WRITEBACK:
    case ACL_RT_CMO_TYPE_INVALID:
    case ACL_RT_CMO_TYPE_FLUSH:
      return unsupported("only ACL_RT_CMO_TYPE_PREFETCH can be described in device memory");
  }
  return invalid_param("cmoType is not a known aclrtCmoType");
}

}  // namespace

call_status get_descriptor_size(aclrtMemcpyKind kind, std::size_t* into) {
  if (into == nullptr) return invalid_param("descSize is NULL");
  if (auto checked = check_kind(kind); !checked.ok()) return checked;
  if (auto supported = require(feature::descriptors); !supported.ok()) return supported;
  *into = soc().family.descriptor.bytes;
  return {};
}

// Source, destination and length are contiguous in both forms, so one copy writes them. A copy is
// necessary because with CONVOY_ISOLATE=1 the host cannot write device memory.
call_status write_descriptor(const copy_description& d) {
  if (auto checked = check(d); !checked.ok()) return checked;
  const descriptor_layout& layout = soc().family.descriptor;
  const std::uint32_t first = std::min(layout.source_offset, layout.length_offset);
  const auto length = static_cast<std::uint32_t>(d.bytes);
  std::byte fields[20];
  std::memcpy(fields + (layout.source_offset - first), &d.src, sizeof d.src);
  std::memcpy(fields + (layout.destination_offset - first), &d.dst, sizeof d.dst);
  std::memcpy(fields + (layout.length_offset - first), &length, sizeof length);
  auto* const into = static_cast<std::byte*>(d.descriptor) + first;
  return run_on_sync_stream([&](stream_ref stream) {
    return submit(stream, copy{into, fields, sizeof fields});
  });
}

call_status launch_descriptor(void* descriptor, aclrtMemcpyKind kind, aclrtStream handle) {
  if (descriptor == nullptr || handle == nullptr)
    return missing_argument({{"desc", descriptor}, {"stream", handle}});
  if (auto checked = check_kind(kind); !checked.ok()) return checked;
  if (auto supported = require_unrecorded(feature::descriptors); !supported.ok()) return supported;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  if (auto checked = check_address(descriptor); !checked.ok()) return checked;
  return record_submitted(handle, copy_indirect(*stream, descriptor, soc().family.descriptor));
}

call_status get_cache_descriptor_size(std::size_t* into) {
  if (into == nullptr) return invalid_param("size is NULL");
  if (auto supported = require(feature::cache_descriptors); !supported.ok()) return supported;
  *into = soc().family.descriptor.bytes;
  return {};
}

// Source and length are not contiguous in the 64-byte form, so there are two copies.
call_status write_descriptor(const cache_description& d) {
  if (auto checked = check(d); !checked.ok()) return checked;
  const descriptor_layout& layout = soc().family.descriptor;
  const auto length = static_cast<std::uint32_t>(d.bytes);
  auto* const into = static_cast<std::byte*>(d.descriptor);
  const std::array fields{copy{into + layout.source_offset, &d.src, sizeof d.src},
                          copy{into + layout.length_offset, &length, sizeof length}};
  return run_on_sync_stream([&](stream_ref stream) { return submit(stream, fields); });
}

call_status launch_descriptor(void* descriptor, aclrtCmoType type, aclrtStream handle,
                              const void* reserve) {
  if (descriptor == nullptr || handle == nullptr)
    return missing_argument({{"cmoDesc", descriptor}, {"stream", handle}});
  if (reserve != nullptr) return invalid_param("reserve is not NULL");
  if (auto checked = check_operation(type); !checked.ok()) return checked;
  if (auto supported = require_unrecorded(feature::cache_descriptors); !supported.ok())
    return supported;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  if (auto checked = check_address(descriptor); !checked.ok()) return checked;
  return record_submitted(handle, prefetch_indirect(*stream, descriptor, soc().family.descriptor));
}

}  // namespace convoy::ascendcl
