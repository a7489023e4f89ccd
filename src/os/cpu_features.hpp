// What the processor under the process offers, asked at run time.

#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

enum class vectors : std::uint8_t { baseline, avx2, avx512 };

// The widest vectors both the processor and the kernel support.
[[nodiscard]] vectors widest_vectors() noexcept;

struct cache_sizes {
  std::size_t l2 = std::size_t{1} << 20;   // per core
  std::size_t l3 = std::size_t{16} << 20;  // shared, as claimed; a virtual machine may own less
};

// The defaults stand for what the system does not tell.
[[nodiscard]] cache_sizes data_caches() noexcept;

}  // namespace convoy::os
