// Every rule about batches, as pure functions of what is already known about the pointers.
#pragma once

#include <convoy/batch.hpp>
#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>
#include <span>

namespace convoy {

// True when the runs start at copy 0, rise, and end before the last copy.
bool runs_cover(std::span<const attribute_run> runs, std::size_t count) noexcept;

// The parallel arrays have one length; capacities may be absent.
bool arrays_match(const batch_view& view) noexcept;

// Count and attribute runs, without looking at any copy.
status check_shape(std::size_t count, std::span<const attribute_run> runs,
                   const batch_rules& rules) noexcept;

// Managed memory goes where the other side needs it: with host memory it counts as device memory.
direction direction_between(memory_kind src, memory_kind dst) noexcept;

// True when memory of this kind on this device is what the attribute says. An unspecified location
// is always met; pageable memory counts as host.
bool matches(const memory_class& found, const location& wanted) noexcept;

// Where the two ends of a copy are.
struct route {
  memory_class src = {};
  memory_class dst = {};
  bool peers_connected = true;  // only asked for between two devices
};

// Everything about a copy with these attributes that depends on where its ends are and not on its
// size. `first` is the direction of the batch's first copy, when there was one. The status has no
// item yet.
status check_route(const route& r, const attributes& attrs, const batch_rules& rules,
                   std::optional<direction> first) noexcept;

// Null pointers and the capacity. Zero sizes are the caller's to decide, the range in memory is
// memory::window's.
status check_extent(const copy& c, std::size_t capacity = SIZE_MAX) noexcept;

}  // namespace convoy
