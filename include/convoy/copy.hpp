// The arguments of steps: a copy, a pitched copy, a fill, a value in memory, a copy that is
// described in device memory.
//
// These are plain data. The functions in stream.hpp check them and say which errors they answer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

// `bytes` bytes from `src` to `dst`. Each range lies in one allocation. If the two overlap, what
// the destination holds afterwards is unspecified.
struct copy {
  void* dst = nullptr;
  const void* src = nullptr;
  std::size_t bytes = 0;

  friend constexpr bool operator==(const copy&, const copy&) = default;
};

// One side of a pitched copy: rows `pitch` bytes apart, slices `slice_rows` rows apart.
struct pitched {
  void* start = nullptr;
  std::size_t pitch = 0;       // at least the width of the box, if it has more than one row
  std::size_t slice_rows = 0;  // rows from one slice to the next; 0 means the height of the box
};

// The extent of a pitched copy or fill.
struct box {
  std::size_t width = 0;   // bytes in a row
  std::size_t height = 1;  // rows in a slice
  std::size_t depth = 1;   // slices
};

// Copies a box of rows, two-dimensional when depth is 1. Nothing is copied when any extent is 0.
struct pitched_copy {
  pitched dst = {};
  pitched src = {};  // only read
  box extent = {};
};

// A value of 1, 2 or 4 bytes (`unit`), little-endian, repeated over rows. The start, the width in
// bytes and, for several rows, the pitch are multiples of `unit`.
struct fill_pattern {
  std::uint32_t value = 0;
  std::uint8_t unit = 1;
};

// A 4- or 8-byte integer in device, pinned, registered or managed memory, aligned to its size.
struct stream_value {
  void* address = nullptr;
  std::uint64_t value = 0;  // the value to write or to compare with; of 4 bytes the low half counts
  std::uint8_t bytes = 4;
};

// The condition that ends a wait_value(); `found` is the integer in memory.
enum class value_test : std::uint8_t {
  at_least,      // found - value, as a signed integer of the same size, is not negative
  equal,         // found == value
  any_bit,       // found & value is not 0
  not_all_bits,  // ~(found | value) is not 0
};

// The layout of a copy descriptor in device memory: two pointers of 8 bytes and a length of 4. The
// descriptor has at most 64 bytes and holds all three fields.
struct descriptor_layout {
  std::uint32_t bytes = 32;
  std::uint32_t source_offset = 16;
  std::uint32_t destination_offset = 24;
  std::uint32_t length_offset = 12;  // an unsigned 32-bit integer

  friend constexpr bool operator==(const descriptor_layout&, const descriptor_layout&) = default;
};

// A copy between offsets from two pointers that are stored in device memory and read when the step
// runs.
struct based_copy {
  const void* dst_base = nullptr;  // address of the pointer, in device memory
  std::size_t dst_offset = 0;      // bytes added to the pointer
  const void* src_base = nullptr;
  std::size_t src_offset = 0;
  std::size_t bytes = 0;
};

}  // namespace convoy
