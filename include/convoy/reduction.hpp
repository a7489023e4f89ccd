// A reduction combines two ranges element by element: dst[i] becomes dst[i] combined with src[i].
//
// Sums of integers wrap around. Floating-point numbers of 16 bits are combined as floats and
// rounded to nearest, ties to even. max and min leave an element as it is unless the other one is
// greater, or less; where either is not a number, neither is what comes of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

enum class reduce_kind : std::uint8_t { sum, max, min };

enum class element : std::uint8_t { int8, int16, int32, uint32, float16, bfloat16, float32 };

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

// `bytes` is the length of either range, in whole elements, which may start at any address. The two
// are one range or share no byte.
struct reduction {
  void* dst = nullptr;
  const void* src = nullptr;
  std::size_t bytes = 0;
  reduce_kind kind = reduce_kind::sum;
  element type = element::float32;
};

}  // namespace convoy
