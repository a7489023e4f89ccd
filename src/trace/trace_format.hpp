// The grammar of a trace file. Numbers are little-endian; `n` is an unsigned LEB128 number; `z` is
// a signed one in zigzag encoding; `text` is a length n and that many bytes.
//
// trace  := header chunk*            each is header.chunk_bytes long, written by one thread
// header := "CNVYTRC\n" version:u32 chunk_bytes:u32 process:u32 processors:u32 full:u32
//           reserved:u32 wall:u64 steady:u64 command:text zero*
// chunk  := record* zero*            the first record is of kind thread
// record := bytes:u32 kind:u8 body zero*     bytes counts all of it, in multiples of 4
//
// A record is valid once its `bytes` is not 0, so the process may crash at any time. A reader skips
// unknown kinds and bytes behind a known body; the version changes only when that is impossible.
// docs/trace_format.md has the bodies; record_kind names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace convoy::trace {

inline constexpr std::string_view magic = "CNVYTRC\n";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

// Offsets of the header fields. `full` is 1 when records are missing because the file was full;
// `wall` and `steady` are the start time in nanoseconds on the two clocks, and times count from it.
inline constexpr std::size_t version_at = 8;
inline constexpr std::size_t chunk_bytes_at = 12;
inline constexpr std::size_t process_at = 16;
inline constexpr std::size_t processors_at = 20;
inline constexpr std::size_t full_at = 24;
inline constexpr std::size_t wall_at = 32;
inline constexpr std::size_t steady_at = 40;
inline constexpr std::size_t command_at = 48;

inline constexpr std::size_t record_head = 5;  // bytes and kind

// A regular shape needs no bytes per copy, so its count has a limit of its own.
inline constexpr std::size_t max_copies_in_shape = 4096;

enum class record_kind : std::uint8_t {
  thread = 1,     // number:n name:text            the thread of the records after it
  submitted = 2,  // step time:n device:n kind:u8 items:n bytes:n directions:u8 waits:n (step)*
  started = 3,    // step time:n                   step := stream:n ticket:n
  landed = 4,     // step time:n outcome:u8 n      the failed item plus 1, or 0
  helped = 5,     // from:n until:n
  allocated = 6,  // time:n address:n bytes:n kind:u8 device:n
  freed = 7,      // time:n address:n
  shape = 8,      // step first:n count:n layout:u8 body(layout)
};

// Encodings of the copies [first, first + count) of a step; a batch may need several shapes.
enum class layout : std::uint8_t {
  regular = 0,  // bytes:n dst:n src:n dst_stride:z src_stride:z
  grid = 1,     // bytes:n shift:u8 dst:n src:n dst_index:u32[count] src_index:u32[count]
  loose = 2,    // (bytes:n dst:z src:z)[count]    dst and src relative to the previous copy
  box = 3,      // dst:n src:n dst_pitch:n src_pitch:n dst_slice_rows:n src_slice_rows:n width:n
                // height:n depth:n
};

constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t from_zigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

}  // namespace convoy::trace
