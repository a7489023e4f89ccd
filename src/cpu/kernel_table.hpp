// The kernels of one instruction set.

#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/copy.hpp"
#include "convoy/reduction.hpp"
#include "cpu/kernels.hpp"
#include "os/cpu_features.hpp"

namespace convoy::cpu {

struct scattered_range {
  const copy* copies;
  std::size_t count;
  std::size_t first_item;  // what `progress` calls copies[0]
  volatile std::size_t* progress;
};

// Streamed stores are left unfenced. A reduction is of whole lines.
struct kernel_table {
  void (*scattered)(const scattered_range& range, kernel_choice choice);
  void (*fill)(const row_fill& work, store_kind stores, volatile std::size_t* progress);
  void (*reduce)(const reduction& work);
};

inline constexpr std::size_t reduce_block = 64;

// A reduction of any length.
void reduce_with(const kernel_table& kernels, const reduction& work) noexcept;

// The table for the widest compiled instruction set that `have` covers.
[[nodiscard]] const kernel_table& kernels_for(os::vectors have) noexcept;

}  // namespace convoy::cpu
