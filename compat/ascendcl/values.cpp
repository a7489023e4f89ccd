// Data types, half-precision numbers, data buffers and the program's own log.
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "border.hpp"

struct aclDataBuffer {
  void* start = nullptr;
  std::size_t bytes = 0;
};

namespace convoy::ascendcl {
namespace {

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

constexpr std::uint32_t sign_bit = 0x8000;
constexpr std::uint32_t half_infinity = 0x7C00;

float to_float(std::uint32_t half) {
  const std::uint32_t sign = (half & sign_bit) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t fraction = half & 0x3FF;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -small : small;
}

// Rounds to nearest, ties to even.
std::uint32_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & sign_bit;
  const std::uint32_t size = bits & 0x7FFFFFFF;
  if (size > 0x7F800000) return sign | half_infinity | 0x200;  // not a number
  if (size >= 0x477FF000) return sign | half_infinity;
  if (size < 0x38800000) {  // a multiple of the smallest half, or zero
    const float scaled = std::bit_cast<float>(size) * 0x1p24F;
    return sign |
           static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(scaled + 0x1p23F) & 0x7FFFFF);
  }
  return sign | (size - (std::uint32_t{112} << 23) + 0xFFF + (size >> 13 & 1)) >> 13;
}

// Where the vendor's library would print as well.
bool log_is_wanted() {
  const char* const asked = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  return asked != nullptr && std::string_view(asked) == "1";
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

size_t aclDataTypeSize(aclDataType dataType) { return size_of(dataType); }
float aclFloat16ToFloat(aclFloat16 value) { return to_float(value); }
aclFloat16 aclFloatToFloat16(float value) { return static_cast<aclFloat16>(to_half(value)); }

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return new (std::nothrow) aclDataBuffer{data, size};
}
aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return answer(__func__, [&] {
    if (dataBuffer == nullptr) return refused("dataBuffer is NULL");
    delete dataBuffer;
    return outcome{};
  });
}
aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return answer(__func__, [&] {
    if (dataBuffer == nullptr) return refused("dataBuffer is NULL");
    *dataBuffer = {data, size};
    return outcome{};
  });
}
void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? nullptr : dataBuffer->start;
}
uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? 0 : dataBuffer->bytes;
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  static constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  if (fmt == nullptr || logLevel < ACL_DEBUG || logLevel > ACL_ERROR || !log_is_wanted()) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  std::printf("[%s] %s:%u %s: %s\n", names[logLevel], file == nullptr ? "" : file, line,
              func == nullptr ? "" : func, text);
}
