// What a dialect demands of a batch, as data.
//
// The engine runs every batch the same way; the dialects differ only in what they refuse and when
// the call returns. Those differences are the fields here, and nothing in the engine asks which
// dialect is speaking.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy {

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
  [[nodiscard]] constexpr directions with(direction d) const noexcept {
    return {static_cast<std::uint8_t>(bits | 1U << static_cast<unsigned>(d))};
  }
  static constexpr directions all() noexcept { return {0xF}; }
};

enum class zero_sizes : std::uint8_t {
  refused,
  refused_unless_all,  // a batch of nothing but zero sizes is a success that does nothing
  skipped,
};

struct batch_rules {
  directions allowed = directions::all();
  bool one_direction = false;  // every copy goes the way of the first
  zero_sizes zeros = zero_sizes::refused;
  bool runs_required = false;      // a batch without attribute runs is refused
  bool locations_bind = false;     // attribute locations must match the pointers
  bool pageable_blocks = false;    // a pageable pointer makes the call return when all has landed
  bool peers_need_access = false;  // between devices only after peer access was enabled
  std::size_t max_copies = SIZE_MAX;
};

inline constexpr batch_rules native_rules{.zeros = zero_sizes::skipped};

inline constexpr batch_rules cuda_rules{.runs_required = true};

inline constexpr batch_rules ascend_rules{
    .allowed = directions{}.with(direction::host_to_device).with(direction::device_to_host),
    .one_direction = true,
    .zeros = zero_sizes::refused_unless_all,
    .runs_required = true,
    .locations_bind = true,
    .pageable_blocks = true,
};

}  // namespace convoy
