// How a batch is cut into units that threads can take one by one.
//
// Large copies are cut into pieces and come first, so that no thread is left with one at the end; the
// others are taken in ranges of about equal bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "seam/device.hpp"

namespace convoy::cpu {

struct piece {
  std::size_t item = 0;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

struct plan {
  std::vector<piece> pieces;        // of copies of at least `cut_from` bytes
  std::size_t items_per_range = 1;  // of the rest, by index
  std::size_t ranges = 0;

  [[nodiscard]] std::size_t units() const noexcept { return pieces.size() + ranges; }
};

// A copy this large is cut up when it shares the work with other threads.
inline constexpr std::size_t cut_from = std::size_t{512} << 10;

// Below this a batch is one unit: sharing would cost more than it gains.
inline constexpr std::size_t shared_from = std::size_t{64} << 10;

plan make_plan(const copy_work& work);

}  // namespace convoy::cpu
