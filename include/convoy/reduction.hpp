// A reduction combines two ranges element by element: dst[i] = dst[i] op src[i].
//
// Integer sums wrap around. 16-bit floating-point elements are combined as float and rounded to
// nearest, ties to even, whatever rounding mode the program has set. max and min keep dst[i] when
// the two are equal. If either operand is NaN the result is NaN.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

enum class reduce_kind : std::uint8_t { sum, max, min };

// The element type of both ranges.
enum class element : std::uint8_t { int8, int16, int32, uint32, float16, bfloat16, float32 };

// The size of an element; 0 for a value outside the enumeration. Never fails.
constexpr std::size_t bytes_of(element type) noexcept {
  switch (type) {
    case element::int8: return 1;
    case element::int16:
    case element::float16:
    case element::bfloat16: return 2;
    case element::int32:
    case element::uint32:
    case element::float32: return 4;
  }
  return 0;
}

// The argument of reduce(). The ranges may start at any address; they are the same range or do not
// overlap.
struct reduction {
  void* dst = nullptr;
  const void* src = nullptr;
  std::size_t bytes = 0;  // length of each range, a multiple of the element size
  reduce_kind kind = reduce_kind::sum;
  element type = element::float32;
};

}  // namespace convoy
