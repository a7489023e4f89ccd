// The blocks of a paged cache that are offloaded in a round, and the pages they are restored to.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace convoy::tools {

// One block is copied from its page to a slot of the host store, and from there to another page.
struct move {
  std::size_t block = 0;
  std::size_t from_page = 0;
  std::size_t slot = 0;
  std::size_t to_page = 0;
};

// The memory that the copies read and write: the pages of the cache and the slots of the store.
struct cache_memory {
  std::byte* pages = nullptr;
  std::byte* slots = nullptr;
  std::size_t block_bytes = 0;
};

// The part of a cache that is offloaded in a round.
constexpr std::size_t moved_part(std::size_t whole) { return whole / 4; }

class page_table {
 public:
  explicit page_table(std::size_t blocks);

  // A quarter of the blocks, in random order. They are restored in another order, each to the page
  // of another block, so that stale bytes are never the right ones.
  std::vector<move> next_round();

  [[nodiscard]] std::size_t blocks() const { return page_.size(); }
  [[nodiscard]] std::size_t page_of(std::size_t block) const { return page_[block]; }

 private:
  std::vector<std::size_t> page_;
  std::vector<std::size_t> order_;
  std::mt19937 random_;
};

std::vector<copy> offload_copies(std::span<const move> moves, const cache_memory& memory);

// In reverse order of the offload: item i belongs to moves[restore_index(moves.size(), i)].
std::vector<copy> restore_copies(std::span<const move> moves, const cache_memory& memory);
constexpr std::size_t restore_index(std::size_t count, std::size_t item) {
  return count - 1 - item;
}

}  // namespace convoy::tools
