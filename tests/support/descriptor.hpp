// A copy as an indirect copy finds it described in memory.
#pragma once

#include <convoy/copy.hpp>
#include <cstring>

#include "support/contents.hpp"

namespace convoy::test {

inline bytes described(const copy& what, const descriptor_layout& layout = {}) {
  bytes made = zeros(layout.bytes);
  const auto length = static_cast<std::uint32_t>(what.bytes);
  std::memcpy(made.data() + layout.source_offset, &what.src, sizeof what.src);
  std::memcpy(made.data() + layout.destination_offset, &what.dst, sizeof what.dst);
  std::memcpy(made.data() + layout.length_offset, &length, sizeof length);
  return made;
}

}  // namespace convoy::test
