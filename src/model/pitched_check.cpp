#include "model/pitched_check.hpp"

#include <cstdint>

namespace convoy {
namespace {

// a * b + c; none on overflow.
std::optional<std::size_t> mul_add(std::size_t a, std::size_t b, std::size_t c) noexcept {
  std::size_t product = 0;
  std::size_t sum = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum)) {
    return {};
  }
  return sum;
}

}  // namespace

std::optional<std::size_t> span_bytes(const pitched& p, const box& extent) noexcept {
  const auto rows = mul_add(p.pitch, extent.height - 1, extent.width);
  const auto slice = mul_add(p.pitch, p.slice_rows == 0 ? extent.height : p.slice_rows, 0);
  if (!rows || !slice) return {};
  return mul_add(*slice, extent.depth - 1, *rows);
}

status check_pitched(const pitched& p, const box& extent, copy_side side) noexcept {
  if (p.start == nullptr) return {errc::null_pointer, side};
  if (p.pitch < extent.width && (extent.height > 1 || extent.depth > 1)) {
    return {errc::invalid_pitch, side, {}, p.start};
  }
  if (p.slice_rows != 0 && p.slice_rows < extent.height && extent.depth > 1) {
    return {errc::invalid_pitch, side, {}, p.start};
  }
  if (!span_bytes(p, extent)) return {errc::invalid_argument, side, {}, p.start};
  return {};
}

status check_fill(const fill_pattern& pattern, const pitched& target, const box& extent) noexcept {
  const unsigned unit = pattern.unit;
  if (unit != 1 && unit != 2 && unit != 4) return {errc::invalid_argument};
  if (const status s = check_pitched(target, extent, copy_side::destination); !s.ok()) return s;

  const bool many_rows = extent.height > 1 || extent.depth > 1;
  const std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(target.start) | extent.width |
                              (many_rows ? target.pitch : 0);
  if (bits % unit != 0) return {errc::invalid_argument, copy_side::destination, {}, target.start};
  return {};
}

}  // namespace convoy
