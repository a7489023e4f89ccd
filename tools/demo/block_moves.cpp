#include "block_moves.hpp"

#include <algorithm>
#include <numeric>

namespace convoy::tools {
namespace {

std::vector<std::size_t> counted(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

page_table::page_table(std::size_t blocks)
    : page_(counted(blocks)), order_(counted(blocks)), random_(42) {
  std::ranges::shuffle(page_, random_);
}

std::vector<move> page_table::next_round() {
  std::ranges::shuffle(order_, random_);
  const std::size_t count = moved_part(order_.size());
  auto slots = counted(count);
  std::ranges::shuffle(slots, random_);

  std::vector<move> moves(count);
  for (std::size_t i = 0; i != count; ++i) {
    const std::size_t next = order_[(i + 1) % count];
    moves[i] = {order_[i], page_[order_[i]], slots[i], page_[next]};
  }
  for (const move& m : moves) page_[m.block] = m.to_page;
  return moves;
}

std::vector<copy> offload_copies(std::span<const move> moves, const cache_memory& memory) {
  std::vector<copy> copies(moves.size());
  std::ranges::transform(moves, copies.begin(), [&](const move& m) {
    return copy{memory.slots + m.slot * memory.block_bytes,
                memory.pages + m.from_page * memory.block_bytes, memory.block_bytes};
  });
  return copies;
}

std::vector<copy> restore_copies(std::span<const move> moves, const cache_memory& memory) {
  std::vector<copy> copies(moves.size());
  for (std::size_t item = 0; item != moves.size(); ++item) {
    const move& m = moves[restore_index(moves.size(), item)];
    copies[item] = {memory.pages + m.to_page * memory.block_bytes,
                    memory.slots + m.slot * memory.block_bytes, memory.block_bytes};
  }
  return copies;
}

}  // namespace convoy::tools
