// Reductions: memory of a device combined, element by element, with other memory of it.
#include <convoy/memory.hpp>
#include <string>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/models.hpp"

namespace convoy::ascendcl {
namespace {

found<reduce_kind> kind_of(aclrtReduceKind kind) {
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: return {reduce_kind::sum};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: return {reduce_kind::max};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: return {reduce_kind::min};
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL:
      return none<reduce_kind>(unsupported("kind is ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL"));
  }
  return none<reduce_kind>(refused("kind is none of the kinds"));
}

found<element> element_of(aclDataType type) {
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
    case ACL_FLOAT4_E1M2:
      return none<element>(unsupported("no model reduces elements of this type"));
    case ACL_DT_UNDEFINED: break;
  }
  return none<element>(refused("type is none of the types"));
}

// What the outer layer checks, and the model.
found<reduction> translated(const reduce_call& c) {
  if (c.dst == nullptr || c.src == nullptr) {
    return none<reduction>(refused("dst or src is NULL"));
  }
  if (c.reserve != nullptr) return none<reduction>(refused("reserve is not NULL"));
  const auto kind = kind_of(c.kind);
  if (!kind) return none<reduction>(kind.why);
  const auto type = element_of(c.type);
  if (!type) return none<reduction>(type.why);
  const model& here = this_model();
  if (here.of.reduces.has(*kind, *type)) return {{c.dst, c.src, c.bytes, *kind, *type}};
  return none<reduction>(failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                here.name + " does not reduce elements of type " +
                                    std::to_string(c.type) + " by kind " + std::to_string(c.kind)));
}

// One end is memory of the device.
outcome check_place(const void* pointer, copy_side end, device_id wanted) {
  const auto where = locate(pointer);
  if (!where) return outcome_of({where.error().code, end, {}, pointer});
  if (where->kind == memory_kind::device && where->device == wanted) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, std::string(end == copy_side::source ? "src" : "dst") +
                                                " is " + name_of_memory(*where) +
                                                ", and the stream is of device " +
                                                std::to_string(number(wanted)));
}

outcome check(const reduction& r, device_id on) {
  const std::size_t each = bytes_of(r.type);
  if (r.bytes % each != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "count " + std::to_string(r.bytes) +
                                                  " is no multiple of the " + std::to_string(each) +
                                                  " bytes of an element");
  }
  if (auto fits = check_place(r.dst, copy_side::destination, on); !fits.ok()) return fits;
  return check_place(r.src, copy_side::source, on);
}

}  // namespace

outcome reduce_async(const reduce_call& c, aclrtStream handle) {
  if (c.bytes == 0) return {};
  const auto what = translated(c);
  if (!what) return what.why;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  const auto on = to->device();
  if (!on) return refusal(handle, on.error());
  if (auto sound = check(*what, *on); !sound.ok()) return sound;
  const auto at = reduce(*to, *what);
  // All that the engine can still have against the arguments themselves.
  if (at.error().code == errc::invalid_argument) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "dst and src overlap in part");
  }
  return submitted(handle, at);
}

}  // namespace convoy::ascendcl
