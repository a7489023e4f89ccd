// Contents of memory in tests of the native API and of AscendCL.
#pragma once

#include <cstddef>
#include <vector>

#include "support/byte_pattern.hpp"

namespace convoy::test {

using bytes = std::vector<std::byte>;

inline bytes zeros(std::size_t count) { return bytes(count); }
inline bytes numbered(std::size_t count, unsigned seed = 0) {
  return byte_pattern<std::byte>(count, seed);
}

}  // namespace convoy::test
