// Lets copies through whose ends lie in two known windows, a vector of them at a time.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>
#include <cstdint>

#include "memory/window.hpp"
#include "model/copy_totals.hpp"

namespace convoy::memory {

// The same copies in two arrangements.
struct copy_columns {
  void* const* dsts;
  const void* const* srcs;
  const std::size_t* sizes;
  const std::size_t* capacities;  // or null
};

struct copy_structs {
  const copy* copies;
};

// Where both ends of a copy lie.
struct copy_windows {
  memory::window dst;
  memory::window src;

  [[nodiscard]] bool contain(const copy& c) const noexcept {
    return dst.contains(c.dst, c.bytes) && src.contains(c.src, c.bytes);
  }
};

// Writes copies [0, n) to `out` and answers n: how many from the start on are not empty, lie in the
// windows and fit their capacities. It may stop short of the first that does not, by less than a
// vector; adds to `sums`.
std::size_t check_in_windows(const copy_columns& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums);
std::size_t check_in_windows(const copy_structs& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums);

}  // namespace convoy::memory
