#include "calls/element_types.hpp"

#include <bit>

namespace convoy::ascendcl {
namespace {

constexpr std::uint32_t sign_bit = 0x8000;
constexpr std::uint32_t half_infinity = 0x7C00;

}  // namespace

std::size_t size_of(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_BOOL: return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16: return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32: return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64: return 8;
    case ACL_COMPLEX128: return 16;
    case ACL_DT_UNDEFINED:
    case ACL_STRING:
    case ACL_INT4:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
    case ACL_UINT1: return 0;
  }
  return 0;
}

float to_float(std::uint32_t half) {
  const std::uint32_t sign = (half & sign_bit) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t fraction = half & 0x3FF;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -small : small;
}

std::uint32_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & sign_bit;
  const std::uint32_t size = bits & 0x7FFFFFFF;
  if (size > 0x7F800000) return sign | half_infinity | 0x200;  // NaN
  if (size >= 0x477FF000) return sign | half_infinity;
  if (size < 0x38800000) {  // subnormal or zero
    const float scaled = std::bit_cast<float>(size) * 0x1p24F;
    return sign |
           static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(scaled + 0x1p23F) & 0x7FFFFF);
  }
  return sign | (size - (std::uint32_t{112} << 23) + 0xFFF + (size >> 13 & 1)) >> 13;
}

call_status destroy_buffer(const aclDataBuffer* buffer) {
  if (buffer == nullptr) return invalid_param("dataBuffer is NULL");
  delete buffer;
  return {};
}

call_status update_buffer(aclDataBuffer* buffer, void* start, std::size_t bytes) {
  if (buffer == nullptr) return invalid_param("dataBuffer is NULL");
  *buffer = {start, bytes};
  return {};
}

}  // namespace convoy::ascendcl
