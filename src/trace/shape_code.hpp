// The copies of a batch as a shape: where and how many bytes, never which.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/record.hpp"

namespace convoy::trace {

// The layout in which the first copies are told, and how many of them one record takes.
struct shape_part {
  layout how = layout::loose;
  std::size_t count = 0;
  unsigned shift = 0;      // of a grid
  std::uintptr_t dst = 0;  // lowest of a grid
  std::uintptr_t src = 0;
};

// Only for copies that are not empty.
shape_part next_part(std::span<const copy> copies) noexcept;

// Bytes the part takes at most.
std::size_t most_bytes(const shape_part& part) noexcept;

// The layout and its body, for the first part.count copies.
void put_part(record& into, const shape_part& part, std::span<const copy> copies) noexcept;
void put_box(record& into, const pitched_copy& rows) noexcept;

// A copy by its addresses in the process that was traced.
struct traced_copy {
  std::uint64_t dst = 0;
  std::uint64_t src = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const traced_copy&, const traced_copy&) = default;
};

}  // namespace convoy::trace
