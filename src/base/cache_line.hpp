// The size of a cache line, in bytes, on every CPU that Convoy supports.
//
// std::hardware_destructive_interference_size depends on compiler flags, so it cannot be used in
// types that several translation units share.
#pragma once

#include <cstddef>

namespace convoy {

inline constexpr std::size_t cache_line_bytes = 64;

}  // namespace convoy
