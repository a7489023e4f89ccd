// Rules about reductions.
#pragma once

#include <convoy/reduction.hpp>
#include <convoy/status.hpp>

namespace convoy {

// A kind and a type that there are, and two ranges of whole elements.
status check_reduction(const reduction& wanted) noexcept;

// The two ranges, which exist, are one or share no byte.
status check_disjoint(const reduction& wanted) noexcept;

}  // namespace convoy
