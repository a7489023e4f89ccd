#include "cpu/plan.hpp"

#include <algorithm>

namespace convoy::cpu {
namespace {

// Large enough to make taking a unit free, small enough to end together.
constexpr std::size_t unit_bytes = std::size_t{128} << 10;
constexpr std::size_t piece_bytes = std::size_t{256} << 10;

void cut(std::vector<piece>& pieces, std::size_t item, std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += piece_bytes) {
    pieces.push_back({item, offset, std::min(piece_bytes, bytes - offset)});
  }
}

}  // namespace

plan make_plan(const copy_work& work) {
  plan made;
  const std::size_t count = work.copies.size();
  if (work.largest >= cut_from) {
    for (std::size_t item = 0; item != count; ++item) {
      if (work.copies[item].bytes >= cut_from) cut(made.pieces, item, work.copies[item].bytes);
    }
  }
  if (work.bytes < shared_from) {
    made.items_per_range = count;
  } else {
    const std::size_t average = std::max<std::size_t>(work.bytes / count, 1);
    const std::size_t fitting = std::max<std::size_t>(unit_bytes / average, 1);
    made.items_per_range = std::min(fitting, (count + 7) / 8);
  }
  made.ranges = (count + made.items_per_range - 1) / made.items_per_range;
  return made;
}

}  // namespace convoy::cpu
