// Known contents for memory in tests: no byte is zero, and two seeds differ in every byte.
#pragma once

#include <cstddef>
#include <vector>

namespace convoy::test {

template <class Byte>
std::vector<Byte> byte_pattern(std::size_t count, unsigned seed) {
  std::vector<Byte> made(count);
  for (std::size_t i = 0; i != count; ++i) {
    made[i] = static_cast<Byte>((i * 7 + i / 251 + seed) % 255 + 1);
  }
  return made;
}

}  // namespace convoy::test
