// How a batch is cut into units that threads can take one by one.
//
// Large copies are cut into pieces and come first, so that no thread is left with one at the end;
// the others are taken in ranges of about equal bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "seam/device.hpp"

namespace convoy::cpu {

// A part of one copy.
struct piece {
  std::size_t item = 0;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// Copies by index, [first, last), among them perhaps some that are cut up.
struct range {
  std::size_t first = 0;
  std::size_t last = 0;
};

class plan {
 public:
  explicit plan(const copy_work& work);

  [[nodiscard]] std::size_t units() const noexcept { return pieces_ + ranges_; }
  [[nodiscard]] std::size_t pieces() const noexcept { return pieces_; }

  // Units below pieces() are pieces, the rest are ranges.
  [[nodiscard]] piece piece_at(std::size_t unit) const;
  [[nodiscard]] range range_at(std::size_t unit) const;

 private:
  struct cut_copy {
    std::size_t item;
    std::size_t first_unit;
    std::size_t bytes;
    std::size_t piece_bytes;
  };
  void cut(std::size_t item, std::size_t bytes);

  std::vector<cut_copy> cut_copies_;
  std::size_t pieces_ = 0;
  std::size_t ranges_ = 0;
  std::size_t count_ = 0;
  std::size_t items_per_range_ = 1;
};

// As many bytes as a unit is to have, among so many in all.
[[nodiscard]] std::size_t unit_bytes_of(std::size_t all) noexcept;

// Into how many pieces one copy or row may be cut: bounds what a nonsensical size can cost.
inline constexpr std::size_t most_pieces = 65536;

[[nodiscard]] constexpr std::size_t divide_up(std::size_t a, std::size_t b) noexcept {
  return a / b + (a % b != 0 ? 1 : 0);
}

// A copy this large is cut up when it shares the work with other threads.
inline constexpr std::size_t cut_from = std::size_t{512} << 10;

// Below this a batch is one unit: sharing would cost more than it gains.
inline constexpr std::size_t shared_from = std::size_t{64} << 10;

}  // namespace convoy::cpu
