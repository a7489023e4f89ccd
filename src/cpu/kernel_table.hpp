// The kernels of one instruction set.

#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/copy.hpp"
#include "cpu/kernels.hpp"
#include "os/cpu_features.hpp"

namespace convoy::cpu {

struct kernel_table {
  void (*scattered)(const copy* first, const copy* last, kernel_choice choice,
                    std::size_t first_item, volatile std::size_t* progress);
  void (*piece)(void* dst, const void* src, std::size_t bytes, stores how);
  void (*fill)(void* dst, std::uint32_t word, std::size_t bytes, stores how);
};

// The table for the widest compiled instruction set that `have` covers.
[[nodiscard]] const kernel_table& kernels_for(os::vectors have) noexcept;

}  // namespace convoy::cpu
