// Where bytes live.
//
// Device, pinned and managed memory come from Convoy; registered memory is the program's own, made
// pinned in place; everything else is pageable.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>
#include <cstdint>

namespace convoy {

enum class memory_kind : std::uint8_t { pageable, pinned, registered, managed, device };

constexpr bool is_host(memory_kind kind) noexcept {
  return kind == memory_kind::pageable || kind == memory_kind::pinned ||
         kind == memory_kind::registered;
}

// Which memory an address lies in.
struct memory_class {
  memory_kind kind = memory_kind::pageable;
  device_id device = {};  // owner of device memory; 0 otherwise

  friend constexpr bool operator==(const memory_class&, const memory_class&) = default;
};

// What a pointer points into. For pageable memory nothing more than the kind is known: `base` is
// null and `bytes_left` is without limit.
struct pointer_attributes {
  memory_kind kind = memory_kind::pageable;
  device_id device = {};              // owner of device memory; 0 otherwise
  void* base = nullptr;               // start of the allocation
  std::size_t size = 0;               // of the allocation, as it was asked for
  std::size_t bytes_left = SIZE_MAX;  // bytes from the pointer to the end of the allocation

  friend constexpr bool operator==(const pointer_attributes&, const pointer_attributes&) = default;
};

enum class location_type : std::uint8_t { unspecified, host, host_numa, device, managed };

// A place as an attribute names it: a hint under most rules, a promise under some.
struct location {
  location_type type = location_type::unspecified;
  std::int32_t id = 0;

  friend constexpr bool operator==(const location&, const location&) = default;
};

}  // namespace convoy
