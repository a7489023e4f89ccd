// The rules about batches, as pure functions of the memory class of each pointer.
#pragma once

#include <convoy/batch.hpp>
#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>
#include <span>

namespace convoy {

// True when the runs start at copy 0, rise strictly, and none starts behind the last copy.
bool runs_cover(std::span<const attribute_run> runs, std::size_t count) noexcept;

// True when the parallel arrays have the same length; capacities may be absent.
bool arrays_match(const batch_view& view) noexcept;

// Checks the count and the attribute runs, not the copies.
status check_shape(std::size_t count, std::span<const attribute_run> runs,
                   const batch_rules& rules) noexcept;

// The direction of a copy. Managed memory counts as device memory.
direction direction_between(memory_kind src, memory_kind dst) noexcept;

// True when the memory matches the location of an attribute. An unspecified location always
// matches; pageable memory counts as host memory.
bool matches(const memory_class& found, const location& wanted) noexcept;

// True for memory that Convoy did not allocate: an access may fault.
[[nodiscard]] constexpr bool belongs_to_program(memory_kind kind) noexcept {
  return kind == memory_kind::pageable || kind == memory_kind::registered;
}

// The memory of both ends of a copy.
struct route {
  memory_class src = {};
  memory_class dst = {};
  bool peers_connected = true;  // used only between two devices
};

// The rules about a copy that depend on the memory of its ends and not on its size. `first` is the
// direction of the batch's first copy, if known. The status has no item.
status check_route(const route& r, const attributes& attrs, const batch_rules& rules,
                   std::optional<direction> first) noexcept;

// Checks null pointers and the capacity. The caller checks for zero sizes, memory::window checks
// the range.
status check_extent(const copy& c, std::size_t capacity = SIZE_MAX) noexcept;

}  // namespace convoy
