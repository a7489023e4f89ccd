// Divides a batch into units that threads take one by one.
//
// Large copies are cut into pieces, which come first, so that no thread has a large copy left at
// the end. The other copies form ranges of about equal bytes.
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

// Copies [first, last) by index; those that are cut into pieces are skipped.
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

// The bytes of a unit, for a total of `all` bytes.
[[nodiscard]] std::size_t unit_bytes_of(std::size_t all) noexcept;

// The largest number of pieces of one copy or row; bounds the cost of absurd sizes.
inline constexpr std::size_t max_pieces = 65536;

[[nodiscard]] constexpr std::size_t divide_up(std::size_t a, std::size_t b) noexcept {
  return a / b + (a % b != 0 ? 1 : 0);
}

// A copy of this size is cut into pieces when threads share the batch.
inline constexpr std::size_t cut_threshold = std::size_t{512} << 10;

// A smaller batch is one unit: sharing would cost more than it gains.
inline constexpr std::size_t share_threshold = std::size_t{64} << 10;

}  // namespace convoy::cpu
