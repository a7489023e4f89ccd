// What an interface (native, CUDA, AscendCL) requires of a batch, as data.
//
// The engine runs every batch the same way; the interfaces differ in what they refuse and in when
// the call returns. Those differences are the fields of batch_rules. A batch that breaks a rule is
// refused as a whole, with the code named at the field.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

// From the memory of the source to the memory of the destination. Managed memory counts as device
// memory; pageable, pinned and registered memory is host memory.
enum class direction : std::uint8_t {
  host_to_host,
  host_to_device,
  device_to_host,
  device_to_device,
};

// A set of directions.
struct directions {
  std::uint8_t bits = 0;

  [[nodiscard]] constexpr bool has(direction d) const noexcept {
    return (bits >> static_cast<unsigned>(d) & 1U) != 0;
  }
  // This set and `d`.
  [[nodiscard]] constexpr directions with(direction d) const noexcept {
    return {static_cast<std::uint8_t>(bits | 1U << static_cast<unsigned>(d))};
  }
  static constexpr directions all() noexcept { return {0xF}; }
};

// What happens to copies of 0 bytes.
enum class zero_sizes : std::uint8_t {
  refused,             // zero_size
  refused_unless_all,  // zero_size, but a batch of nothing else succeeds and does nothing
  skipped,             // they do nothing, whatever their pointers
};

struct batch_rules {
  directions allowed = directions::all();  // others are refused with wrong_direction
  bool one_direction = false;              // mixed_directions if not that of the first copy
  zero_sizes zeros = zero_sizes::refused;
  bool runs_required = false;       // a batch without attribute runs is refused with invalid_runs
  bool locations_bind = false;      // wrong_location if a hint does not match the pointer
  bool pageable_blocks = false;     // with a pageable pointer the call waits for the batch to land
  bool registered_in_part = false;  // such a range is pageable, otherwise leaves_allocation
  bool peers_need_access = false;  // no_peer_access between devices without it, in either direction
  std::size_t max_copies = SIZE_MAX;  // more are refused with too_many_copies
};

// The default of submit(): any direction, zero sizes skipped, attribute runs optional.
inline constexpr batch_rules native_rules{.zeros = zero_sizes::skipped};

// The rules of cudaMemcpyBatchAsync.
inline constexpr batch_rules cuda_rules{.runs_required = true};

// The rules of aclrtMemcpyBatchAsync.
inline constexpr batch_rules ascend_rules{
    .allowed = directions{}.with(direction::host_to_device).with(direction::device_to_host),
    .one_direction = true,
    .zeros = zero_sizes::refused_unless_all,
    .runs_required = true,
    .locations_bind = true,
    .pageable_blocks = true,
    .registered_in_part = true,
};

}  // namespace convoy
