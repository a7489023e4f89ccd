// The window checks compiled for one instruction set.
#pragma once

#include <cstddef>

#include "memory/window_check.hpp"

namespace convoy::memory {

struct window_check_table {
  std::size_t (*columns)(const copy_columns& in, std::size_t count, const copy_windows& windows,
                         copy* out, copy_totals& sums);
  std::size_t (*rows)(const copy_structs& in, std::size_t count, const copy_windows& windows,
                      copy* out, copy_totals& sums);
};

}  // namespace convoy::memory
