// The kernels compiled for one instruction set.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"
#include "convoy/copy.hpp"
#include "convoy/reduction.hpp"
#include "cpu/kernels.hpp"
#include "os/cpu_features.hpp"

namespace convoy::cpu {

struct scattered_range {
  const copy* copies;
  std::size_t count;
  std::size_t first_item;  // the item number of copies[0] in `progress`
  volatile std::size_t* progress;
};

// The caller fences non-temporal stores. `reduce` takes a multiple of reduce_block bytes.
struct kernel_table {
  void (*scattered)(const scattered_range& range, kernel_choice choice);
  void (*fill)(const row_fill& work, store_kind stores, volatile std::size_t* progress);
  void (*reduce)(const reduction& work);
};

inline constexpr std::size_t reduce_block = cache_line_bytes;

// A reduction of any length.
void reduce_with(const kernel_table& kernels, const reduction& work) noexcept;

// The table for the widest compiled instruction set that `have` includes.
[[nodiscard]] const kernel_table& kernels_for(os::vectors have) noexcept;

}  // namespace convoy::cpu
