#include "trace/shape_code.hpp"

#include <algorithm>
#include <bit>

namespace convoy::trace {
namespace {

// Makes every part fit into a chunk.
constexpr std::size_t max_loose = 1024;

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::int64_t distance(const void* from, const void* to) {
  return static_cast<std::int64_t>(address(to) - address(from));
}

// Properties of consecutive copies of one size.
struct equal_sizes {
  std::size_t count = 0;
  bool regular = true;
  std::uintptr_t differing = 0;  // bits in which any address differs from the first
  std::uintptr_t dst = 0;        // lowest
  std::uintptr_t src = 0;
};

equal_sizes measure(std::span<const copy> copies) {
  const copy& first = copies.front();
  const std::uintptr_t dst = address(first.dst);
  const std::uintptr_t src = address(first.src);
  const std::size_t most = std::min(copies.size(), max_copies_in_shape);
  const std::uintptr_t dst_stride = most < 2 ? 0 : address(copies[1].dst) - dst;
  const std::uintptr_t src_stride = most < 2 ? 0 : address(copies[1].src) - src;
  std::uintptr_t next_dst = dst, next_src = src;
  std::uintptr_t lowest_dst = dst, lowest_src = src;
  std::uintptr_t irregular = 0, differing = 0;
  std::size_t count = 0;
  for (; count != most && copies[count].bytes == first.bytes; ++count) {
    const std::uintptr_t d = address(copies[count].dst);
    const std::uintptr_t s = address(copies[count].src);
    differing |= (d ^ dst) | (s ^ src);
    lowest_dst = std::min(lowest_dst, d);
    lowest_src = std::min(lowest_src, s);
    irregular |= (d ^ next_dst) | (s ^ next_src);
    next_dst += dst_stride;
    next_src += src_stride;
  }
  return {count, irregular == 0, differing, lowest_dst, lowest_src};
}

}  // namespace

shape_part next_part(std::span<const copy> copies) noexcept {
  const equal_sizes found = measure(copies);
  if (found.regular) return {.encoding = layout::regular, .count = found.count};
  const auto shift = static_cast<unsigned>(std::countr_zero(found.differing));
  const bool fits = std::bit_width(found.differing) - static_cast<int>(shift) < 32;
  // With fewer copies the head of a record is longer than the bytes that a grid saves.
  constexpr std::size_t min_in_grid = 16;
  if (fits && found.count >= std::min(copies.size(), min_in_grid)) {
    return {layout::grid, found.count, shift, found.dst, found.src};
  }
  return {.encoding = layout::loose, .count = std::min(copies.size(), max_loose)};
}

std::size_t most_bytes(const shape_part& part) noexcept {
  constexpr std::size_t head = 1 + 5 * longest_number;
  switch (part.encoding) {
    case layout::regular:
    case layout::box: return head;
    case layout::grid: return head + 1 + part.count * 8;
    case layout::loose: return head + part.count * 3 * longest_number;
  }
  return head;
}

void put_part(record& out, const shape_part& part, std::span<const copy> copies) noexcept {
  const copy& first = copies.front();
  out.put_byte(static_cast<std::uint8_t>(part.encoding));
  if (part.encoding == layout::loose) {
    copy before = {};
    for (const copy& c : copies.first(part.count)) {
      out.put_number(c.bytes);
      out.put_signed(distance(before.dst, c.dst));
      out.put_signed(distance(before.src, c.src));
      before = c;
    }
    return;
  }
  out.put_number(first.bytes);
  if (part.encoding == layout::regular) {
    const copy& second = part.count < 2 ? first : copies[1];
    out.put_number(address(first.dst));
    out.put_number(address(first.src));
    out.put_signed(distance(first.dst, second.dst));
    out.put_signed(distance(first.src, second.src));
    return;
  }
  out.put_byte(static_cast<std::uint8_t>(part.shift));
  out.put_number(part.dst);
  out.put_number(part.src);
  out.put_words(part.count, [&, dst = part.dst, shift = part.shift](std::size_t i) {
    return static_cast<std::uint32_t>((address(copies[i].dst) - dst) >> shift);
  });
  out.put_words(part.count, [&, src = part.src, shift = part.shift](std::size_t i) {
    return static_cast<std::uint32_t>((address(copies[i].src) - src) >> shift);
  });
}

void put_box(record& out, const pitched_copy& box_copy) noexcept {
  out.put_byte(static_cast<std::uint8_t>(layout::box));
  for (const std::uint64_t each :
       {std::uint64_t{address(box_copy.dst.start)}, std::uint64_t{address(box_copy.src.start)},
        std::uint64_t{box_copy.dst.pitch}, std::uint64_t{box_copy.src.pitch},
        std::uint64_t{box_copy.dst.slice_rows}, std::uint64_t{box_copy.src.slice_rows},
        std::uint64_t{box_copy.extent.width}, std::uint64_t{box_copy.extent.height},
        std::uint64_t{box_copy.extent.depth}}) {
    out.put_number(each);
  }
}

}  // namespace convoy::trace
