// Checks, with vector instructions, that copies lie in two known windows.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>
#include <cstdint>

#include "memory/window.hpp"
#include "model/copy_totals.hpp"

namespace convoy::memory {

// The copies of a caller: as parallel arrays, or as an array of structs.
struct copy_columns {
  void* const* dsts;
  const void* const* srcs;
  const std::size_t* sizes;
  const std::size_t* capacities;  // or null
};

struct copy_structs {
  const copy* copies;
};

// The windows of both ends of a copy.
struct copy_windows {
  memory::window dst;
  memory::window src;

  [[nodiscard]] bool contain(const copy& c) const noexcept {
    return dst.contains(c.dst, c.bytes) && src.contains(c.src, c.bytes);
  }
};

// Accepts copies from the start as long as they are not empty, lie in the windows and fit their
// capacities: writes them to `out` with engine addresses, adds them to `sums`, and returns how
// many. May stop up to a vector before the first copy that fails.
std::size_t check_in_windows(const copy_columns& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums);
std::size_t check_in_windows(const copy_structs& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums);

// The checks compiled for one instruction set.
struct window_check_table {
  std::size_t (*columns)(const copy_columns& in, std::size_t count, const copy_windows& windows,
                         copy* out, copy_totals& sums);
  std::size_t (*structs)(const copy_structs& in, std::size_t count, const copy_windows& windows,
                         copy* out, copy_totals& sums);
};

}  // namespace convoy::memory
