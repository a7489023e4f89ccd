// Strong types for numbers, so that a device number cannot be passed as a ticket.
#pragma once

#include <cstdint>

namespace convoy {

// The number of a device, counted from 0.
enum class device_id : std::int32_t {};

// The largest number of devices that can be configured.
inline constexpr int max_devices = 64;

// The position of a step in its stream. The first step of a stream has ticket 1, each later one the
// next number; of two tickets of one stream the lower runs first. Tickets of different streams
// cannot be compared. Ticket 0 is no step: it counts as landed.
enum class ticket : std::uint64_t {};

// The plain number behind the type. Never fails.
constexpr std::int32_t number(device_id id) noexcept { return static_cast<std::int32_t>(id); }
constexpr std::uint64_t number(ticket t) noexcept { return static_cast<std::uint64_t>(t); }

}  // namespace convoy
