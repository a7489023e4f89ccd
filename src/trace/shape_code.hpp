// Encodes the addresses and sizes of the copies of a batch, not their bytes.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/record.hpp"

namespace convoy::trace {

// The layout of the first copies, and the number of them in one record.
struct shape_part {
  layout encoding = layout::loose;
  std::size_t count = 0;
  unsigned shift = 0;      // of a grid
  std::uintptr_t dst = 0;  // lowest of a grid
  std::uintptr_t src = 0;
};

// The next part; `copies` is not empty.
shape_part next_part(std::span<const copy> copies) noexcept;

// The largest encoded size of the part in bytes.
std::size_t most_bytes(const shape_part& part) noexcept;

// Writes the layout and its body for the first part.count copies.
void put_part(record& out, const shape_part& part, std::span<const copy> copies) noexcept;
void put_box(record& out, const pitched_copy& box_copy) noexcept;

// A copy with its addresses in the traced process.
struct traced_copy {
  std::uint64_t dst = 0;
  std::uint64_t src = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const traced_copy&, const traced_copy&) = default;
};

}  // namespace convoy::trace
