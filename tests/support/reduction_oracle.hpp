// A reference implementation of reductions, one element after another.
#pragma once

#include <array>
#include <convoy/reduction.hpp>
#include <cstddef>

namespace convoy::test {

inline constexpr std::array elements{element::int8,   element::int16,   element::int32,
                                     element::uint32, element::float16, element::bfloat16,
                                     element::float32};
inline constexpr std::array reduce_kinds{reduce_kind::sum, reduce_kind::max, reduce_kind::min};

// Runs the reduction in place.
void reduce_plainly(const reduction& work);

// True when the elements are equal; two NaNs count as equal.
bool same_elements(element type, const std::byte* one, const std::byte* other, std::size_t bytes);

// One element with this value, and back.
void put_element(element type, double value, std::byte* at);
double element_at(element type, const std::byte* at);

}  // namespace convoy::test
