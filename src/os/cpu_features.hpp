// Instruction sets and cache sizes of the CPU, detected at run time.

#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

enum class vectors : std::uint8_t { baseline, avx2, avx512 };

// The cache sizes default to these values when the system does not report them.
struct processor {
  vectors widest = vectors::baseline;      // supported by both CPU and kernel
  std::size_t l2 = std::size_t{1} << 20;   // per core
  std::size_t l3 = std::size_t{16} << 20;  // shared, as reported; a virtual machine may own less
};

[[nodiscard]] processor this_processor() noexcept;

}  // namespace convoy::os
