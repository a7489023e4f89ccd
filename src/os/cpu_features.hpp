// What the processor under the process offers, asked at run time.

#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

enum class vectors : std::uint8_t { baseline, avx2, avx512 };

// The defaults stand for what the system does not tell.
struct processor {
  vectors widest = vectors::baseline;      // that both the processor and the kernel support
  std::size_t l2 = std::size_t{1} << 20;   // per core
  std::size_t l3 = std::size_t{16} << 20;  // shared, as claimed; a virtual machine may own less
};

[[nodiscard]] processor this_processor() noexcept;

}  // namespace convoy::os
