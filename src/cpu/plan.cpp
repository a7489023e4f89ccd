#include "cpu/plan.hpp"

#include <algorithm>
#include <iterator>

namespace convoy::cpu {
namespace {

// Taking a unit is an atomic operation, which drains the store buffer. For short units that costs
// more than an even distribution gains.
constexpr std::size_t smallest_unit = std::size_t{16} << 10;

constexpr std::size_t smallest_piece = std::size_t{256} << 10;

}  // namespace

// Large enough that taking a unit costs nothing, small enough that all threads finish together.
// With many units they can be larger, and more copies are interleaved: 1 % faster from 64 MiB on.
std::size_t unit_bytes_of(std::size_t all) noexcept {
  constexpr std::size_t least = std::size_t{128} << 10;
  constexpr std::size_t many_units = 256;
  return std::clamp(all / many_units, least, 2 * least);
}

plan::plan(const copy_work& work) : count_(work.copies.size()) {
  for (std::size_t item = 0; work.totals.largest >= cut_threshold && item != count_; ++item) {
    if (work.copies[item].bytes >= cut_threshold) cut(item, work.copies[item].bytes);
  }
  if (count_ == 0 || work.totals.bytes < share_threshold) {
    items_per_range_ = std::max<std::size_t>(count_, 1);
  } else {
    const std::size_t average = std::max<std::size_t>(work.totals.bytes / count_, 1);
    const std::size_t fitting =
        std::max<std::size_t>(unit_bytes_of(work.totals.bytes) / average, 1);
    items_per_range_ = std::min(fitting, std::max(divide_up(count_, 8), smallest_unit / average));
  }
  ranges_ = cut_copies_.size() == count_ ? 0 : divide_up(count_, items_per_range_);
}

void plan::cut(std::size_t item, std::size_t bytes) {
  const std::size_t piece_bytes = std::max(smallest_piece, bytes / max_pieces);
  cut_copies_.push_back({item, pieces_, bytes, piece_bytes});
  pieces_ += divide_up(bytes, piece_bytes);
}

piece plan::piece_at(std::size_t unit) const {
  const auto after =
      std::upper_bound(cut_copies_.begin(), cut_copies_.end(), unit,
                       [](std::size_t u, const cut_copy& c) { return u < c.first_unit; });
  const cut_copy& parent = *std::prev(after);
  const std::size_t offset = (unit - parent.first_unit) * parent.piece_bytes;
  return {parent.item, offset, std::min(parent.piece_bytes, parent.bytes - offset)};
}

range plan::range_at(std::size_t unit) const {
  const std::size_t first = (unit - pieces_) * items_per_range_;
  return {first, std::min(first + items_per_range_, count_)};
}

}  // namespace convoy::cpu
