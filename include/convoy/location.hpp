// Kinds of memory, and what is known about a pointer.
//
// Device, pinned and managed memory comes from Convoy. Registered memory is the program's own,
// registered by pin(). Everything else is pageable.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>
#include <cstdint>

namespace convoy {

enum class memory_kind : std::uint8_t { pageable, pinned, registered, managed, device };

// True for pageable, pinned and registered memory. Managed memory is not host memory here: in the
// direction of a copy it counts as device memory.
constexpr bool is_host(memory_kind kind) noexcept {
  return kind == memory_kind::pageable || kind == memory_kind::pinned ||
         kind == memory_kind::registered;
}

// The answer of classify().
struct memory_class {
  memory_kind kind = memory_kind::pageable;
  device_id device = {};  // owner of device memory; 0 otherwise

  friend constexpr bool operator==(const memory_class&, const memory_class&) = default;
};

// The answer of locate(). Of pageable memory only the kind is known: `base` is null, `size` is 0
// and `bytes_left` is SIZE_MAX.
struct pointer_attributes {
  memory_kind kind = memory_kind::pageable;
  device_id device = {};              // owner of device memory; 0 otherwise
  void* base = nullptr;               // start of the allocation or registered range
  std::size_t size = 0;               // of the allocation, in bytes
  std::size_t bytes_left = SIZE_MAX;  // bytes from the pointer to the end of the allocation

  friend constexpr bool operator==(const pointer_attributes&, const pointer_attributes&) = default;
};

enum class location_type : std::uint8_t { unspecified, host, host_numa, device, managed };

// Where an attribute says that an end of a copy is. A hint under native_rules and cuda_rules; under
// ascend_rules (batch_rules::locations_bind) a pointer elsewhere is refused with wrong_location.
struct location {
  location_type type = location_type::unspecified;
  std::int32_t id = 0;  // number of the device, for location_type::device

  friend constexpr bool operator==(const location&, const location&) = default;
};

}  // namespace convoy
