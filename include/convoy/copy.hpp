#pragma once

#include <cstddef>

namespace convoy {

// One element of a batch: `bytes` bytes from `src` to `dst`.
struct copy {
  void* dst;
  const void* src;
  std::size_t bytes;
};

}  // namespace convoy
