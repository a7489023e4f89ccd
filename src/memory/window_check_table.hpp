// The sieves of one instruction set.
#pragma once

#include <cstddef>

#include "memory/window_check.hpp"

namespace convoy::memory {

struct sieve_table {
  std::size_t (*columns)(const copy_columns& in, std::size_t count, const sieve_windows& windows,
                         copy* out, sieve_sums& sums);
  std::size_t (*rows)(const copy_rows& in, std::size_t count, const sieve_windows& windows,
                      copy* out, sieve_sums& sums);
};

}  // namespace convoy::memory
