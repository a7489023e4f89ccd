// Reductions: dst[i] = dst[i] op src[i], in the memory of one device.
#include <convoy/memory.hpp>
#include <string>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/soc.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

lookup<reduce_kind> kind_of(aclrtReduceKind kind) {
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: return {reduce_kind::sum};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: return {reduce_kind::max};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: return {reduce_kind::min};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL:
      return unsupported("kind is ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL");
  }
  return invalid_param("kind is not a known aclrtReduceKind");
}

lookup<element> element_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT: return {element::float32};
    case ACL_FLOAT16: return {element::float16};
    case ACL_BF16: return {element::bfloat16};
    case ACL_INT8: return {element::int8};
    case ACL_INT16: return {element::int16};
    case ACL_INT32: return {element::int32};
    case ACL_UINT32: return {element::uint32};
    case ACL_UINT8:
    case ACL_UINT16:
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_BOOL:
    case ACL_STRING:
    case ACL_COMPLEX32:
    case ACL_COMPLEX64:
    case ACL_COMPLEX128:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2: return unsupported("no SoC reduces elements of this type");
    case ACL_DT_UNDEFINED: break;
  }
  return invalid_param("type is not a known aclDataType");
}

// Checks what AscendCL checks before the stream, and what the SoC supports.
lookup<reduction> to_reduction(const reduce_call& c) {
  if (c.dst == nullptr || c.src == nullptr) {
    return missing_argument({{"dst", c.dst}, {"src", c.src}});
  }
  if (c.reserve != nullptr) return invalid_param("reserve is not NULL");
  const auto kind = kind_of(c.kind);
  if (!kind) return kind.error;
  const auto type = element_of(c.type);
  if (!type) return type.error;
  const soc_model& model = soc();
  if (model.family.reductions.supports(*kind, *type))
    return reduction{c.dst, c.src, c.bytes, *kind, *type};
  return failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                model.name + " does not reduce elements of type " + std::to_string(c.type) +
                    " by kind " + std::to_string(c.kind));
}

// Both dst and src must be memory of the stream's device.
call_status check_location(const void* pointer, copy_side side, device_id device) {
  const auto attributes = locate(pointer);
  if (!attributes) return call_status_of({attributes.error().code, side, {}, pointer});
  if (attributes->kind == memory_kind::device && attributes->device == device) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                std::string(side == copy_side::source ? "src" : "dst") + " is " +
                    describe_memory(*attributes) + ", but the stream is of device " +
                    std::to_string(program_devices().number_of(device)));
}

call_status check(const reduction& r, device_id device) {
  const std::size_t element_bytes = bytes_of(r.type);
  if (r.bytes % element_bytes != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "count " + std::to_string(r.bytes) + " is no multiple of the " +
                      std::to_string(element_bytes) + " bytes of an element");
  }
  if (auto checked = check_location(r.dst, copy_side::destination, device); !checked.ok())
    return checked;
  return check_location(r.src, copy_side::source, device);
}

}  // namespace

call_status reduce_async(const reduce_call& c, aclrtStream handle) {
  if (c.bytes == 0) return {};
  const auto reduction_step = to_reduction(c);
  if (!reduction_step) return reduction_step.error;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  const auto device = stream->device();
  if (!device) return stream_error(handle, device.error());
  if (auto checked = check(*reduction_step, *device); !checked.ok()) return checked;
  const auto submitted = reduce(*stream, *reduction_step);
  // Every other cause of invalid_argument was ruled out above.
  if (submitted.error().code == errc::invalid_argument) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "dst and src overlap partially");
  }
  return record_submitted(handle, submitted);
}

}  // namespace convoy::ascendcl
