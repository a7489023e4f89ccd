// The descriptor of an indirect copy.
#pragma once

#include <convoy/copy.hpp>
#include <cstring>

#include "support/contents.hpp"

namespace convoy::test {

inline bytes described(const copy& work, const descriptor_layout& layout = {}) {
  bytes made = zeros(layout.bytes);
  const auto length = static_cast<std::uint32_t>(work.bytes);
  std::memcpy(made.data() + layout.source_offset, &work.src, sizeof work.src);
  std::memcpy(made.data() + layout.destination_offset, &work.dst, sizeof work.dst);
  std::memcpy(made.data() + layout.length_offset, &length, sizeof length);
  return made;
}

}  // namespace convoy::test
