#include "support/reduction_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace convoy::test {
namespace {

// A sign, an exponent and a fraction of so many bits.
struct float_format {
  int exponent_bits;
  int fraction_bits;

  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] std::uint32_t infinity() const {
    return ((1U << exponent_bits) - 1) << fraction_bits;
  }
  [[nodiscard]] std::uint32_t sign() const { return 1U << (exponent_bits + fraction_bits); }
};

float_format format_of(element type) {
  if (type == element::float16) return {5, 10};
  if (type == element::bfloat16) return {8, 7};
  return {8, 23};
}

double decoded(std::uint32_t bits, const float_format& f) {
  const std::uint32_t size = bits & ~f.sign();
  const auto exponent = static_cast<int>(size >> f.fraction_bits);
  const std::uint32_t fraction = size & ((1U << f.fraction_bits) - 1);
  if (size > f.infinity()) return NAN;
  double value = exponent == 0 ? std::ldexp(fraction, 1 - f.bias() - f.fraction_bits)
                               : std::ldexp(fraction + (1U << f.fraction_bits),
                                            exponent - f.bias() - f.fraction_bits);
  if (size == f.infinity()) value = INFINITY;
  return (bits & f.sign()) == 0 ? value : -value;
}

// Rounds to nearest, ties to even.
std::uint32_t encoded(double value, const float_format& f) {
  if (std::isnan(value)) return f.infinity() | 1U << (f.fraction_bits - 1);
  const std::uint32_t sign = std::signbit(value) ? f.sign() : 0;
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | f.infinity();
  const int exponent = std::max(std::ilogb(value), 1 - f.bias());
  const double units = std::ldexp(std::fabs(value), f.fraction_bits - exponent);
  const auto bits = static_cast<std::uint64_t>(std::nearbyint(units)) +
                    (static_cast<std::uint64_t>(exponent + f.bias() - 1) << f.fraction_bits);
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, f.infinity()));
}

std::uint32_t bits_at(const std::byte* at, std::size_t bytes) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

double combined(reduce_kind kind, double dst, double src) {
  if (kind == reduce_kind::sum) return dst + src;
  if (std::isnan(dst) || std::isnan(src)) return NAN;
  const bool replaces = kind == reduce_kind::max ? src > dst : src < dst;
  return replaces ? src : dst;
}

}  // namespace

double element_at(element type, const std::byte* at) {
  const std::uint32_t bits = bits_at(at, bytes_of(type));
  switch (type) {
    case element::int8: return static_cast<std::int8_t>(bits);
    case element::int16: return static_cast<std::int16_t>(bits);
    case element::int32: return static_cast<std::int32_t>(bits);
    case element::uint32: return bits;
    case element::float16:
    case element::bfloat16:
    case element::float32: break;
  }
  return decoded(bits, format_of(type));
}

void put_element(element type, double value, std::byte* at) {
  const bool whole = type <= element::uint32;
  const std::uint32_t bits = whole ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                                   : encoded(value, format_of(type));
  std::memcpy(at, &bits, bytes_of(type));
}

void reduce_plainly(const reduction& work) {
  const std::size_t step = bytes_of(work.type);
  for (std::size_t at = 0; at != work.bytes; at += step) {
    auto* const dst = static_cast<std::byte*>(work.dst) + at;
    const auto* const src = static_cast<const std::byte*>(work.src) + at;
    put_element(work.type,
                combined(work.kind, element_at(work.type, dst), element_at(work.type, src)), dst);
  }
}

bool same_elements(element type, const std::byte* one, const std::byte* other, std::size_t bytes) {
  const std::size_t step = bytes_of(type);
  for (std::size_t at = 0; at != bytes; at += step) {
    const bool same =
        std::memcmp(one + at, other + at, step) == 0 ||
        (std::isnan(element_at(type, one + at)) && std::isnan(element_at(type, other + at)));
    if (!same) return false;
  }
  return true;
}

}  // namespace convoy::test
