// Rules about reductions.
#pragma once

#include <convoy/reduction.hpp>
#include <convoy/status.hpp>

namespace convoy {

// The kind and the type are defined, no pointer is null, and the range holds whole elements.
status check_reduction(const reduction& wanted) noexcept;

// The two ranges are identical or do not overlap.
status check_disjoint(const reduction& wanted) noexcept;

}  // namespace convoy
