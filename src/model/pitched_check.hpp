// Rules about pitched copies and fills.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>

namespace convoy {

constexpr bool is_empty(const box& extent) noexcept {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

// Bytes from the start to the end of the last row; none on overflow.
std::optional<std::size_t> span_bytes(const pitched& p, const box& extent) noexcept;

// A pitch holds a row, a slice holds its rows, and no size overflows.
status check_pitched(const pitched& p, const box& extent, copy_side side) noexcept;

status check_fill(const fill_pattern& pattern, const pitched& target, const box& extent) noexcept;

// The slice pitch in bytes.
constexpr std::size_t slice_bytes(const pitched& p, const box& extent) noexcept {
  return p.pitch * (p.slice_rows == 0 ? extent.height : p.slice_rows);
}

}  // namespace convoy
