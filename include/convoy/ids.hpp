// Strong types for the numbers that name things, so that none passes for another.
#pragma once

#include <cstdint>

namespace convoy {

// A device by its number, counted from 0.
enum class device_id : std::int32_t {};

// The position of a step in its stream. Tickets of one stream rise by one from 1, so
// `a < b` says that a runs before b; tickets of two streams say nothing about each other.
enum class ticket : std::uint64_t {};

constexpr std::int32_t number(device_id id) noexcept { return static_cast<std::int32_t>(id); }
constexpr std::uint64_t number(ticket t) noexcept { return static_cast<std::uint64_t>(t); }

}  // namespace convoy
