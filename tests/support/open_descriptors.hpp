// How many descriptors the process has.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace convoy::test {

inline std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

}  // namespace convoy::test
