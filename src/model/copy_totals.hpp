// Sums over the copies of a batch, gathered while they are validated.
#pragma once

#include <algorithm>
#include <convoy/copy.hpp>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace convoy {

struct copy_totals {
  std::size_t bytes = 0;
  std::size_t largest = 0;
  std::uintptr_t line_bits = 0;  // bitwise OR of all destinations and sizes

  void add(const copy& c) noexcept {
    bytes += c.bytes;
    largest = std::max(largest, c.bytes);
    line_bits |= reinterpret_cast<std::uintptr_t>(c.dst) | c.bytes;
  }
  void add(const copy_totals& other) noexcept {
    bytes += other.bytes;
    largest = std::max(largest, other.largest);
    line_bits |= other.line_bits;
  }

  // True when no copy writes a part of a cache line.
  [[nodiscard]] bool whole_lines() const noexcept { return line_bits % cache_line_bytes == 0; }
};

}  // namespace convoy
