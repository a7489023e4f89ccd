// The shapes in which bytes move: one copy, a pitched box, a fill, a word, a copy described in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

struct copy {
  void* dst = nullptr;
  const void* src = nullptr;
  std::size_t bytes = 0;

  friend constexpr bool operator==(const copy&, const copy&) = default;
};

// One side of a pitched copy: rows `pitch` bytes apart, slices `rows` rows apart.
struct pitched {
  void* start = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 0;  // rows from one slice to the next; 0 means the height of the box
};

struct box {
  std::size_t width = 0;  // bytes
  std::size_t height = 1;
  std::size_t depth = 1;
};

// Copies a box of rows; two-dimensional when depth is 1. Nothing moves when any extent is 0.
struct pitched_copy {
  pitched dst = {};
  pitched src = {};  // only read
  box extent = {};
};

// A 1-, 2- or 4-byte value repeated over rows. `width` counts bytes and is a multiple of `unit`.
struct fill_pattern {
  std::uint32_t value = 0;
  std::uint8_t unit = 1;
};

// A number of 4 or 8 bytes in memory Convoy knows, at a multiple of its size.
struct stream_value {
  void* address = nullptr;
  std::uint64_t value = 0;
  std::uint8_t bytes = 4;
};

// What the number found has to be for a wait to end.
enum class value_test : std::uint8_t {
  at_least,      // found - value, taken as a signed number, is not negative
  equal,         // found == value
  any_bit,       // found & value is not 0
  not_all_bits,  // ~(found | value) is not 0
};

// Where a copy described in device memory keeps its source, destination and length.
struct descriptor_layout {
  std::uint32_t bytes = 32;
  std::uint32_t source_offset = 16;
  std::uint32_t destination_offset = 24;
  std::uint32_t length_offset = 12;  // a 32-bit number

  friend constexpr bool operator==(const descriptor_layout&, const descriptor_layout&) = default;
};

// A copy whose two ends are counted from pointers that lie in device memory.
struct based_copy {
  const void* dst_base = nullptr;  // where the pointer is, not where it points
  std::size_t dst_offset = 0;
  const void* src_base = nullptr;
  std::size_t src_offset = 0;
  std::size_t bytes = 0;
};

}  // namespace convoy
