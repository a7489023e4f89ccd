// A paged KV cache in the memory of a device, with a store in pinned host memory. Convoy moves the
// blocks, through its public API alone; every byte says which block it belongs to.
#pragma once

#include <chrono>
#include <convoy/convoy.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "moves.hpp"

namespace convoy::demo {

using seconds = std::chrono::duration<double>;

class cache {
 public:
  explicit cache(std::size_t bytes);

  // Puts every block of the table into its page.
  void fill(const page_table& table, std::size_t block_bytes);

  [[nodiscard]] ends where(std::size_t block_bytes) const;

  // Submits the batch, waits until it has landed, and answers how long both took.
  seconds run(std::span<const copy> copies);

  // Throws, naming item, block and byte, unless every moved block came back to its page whole.
  void verify(std::span<const move> moves, std::size_t block_bytes);
  void verify_all(const page_table& table, std::size_t block_bytes);

  // Changes one byte in the store, for those who doubt that verify() looks.
  void spoil();

 private:
  // A block and its page; the item of the batch that brought it there, when it was moved.
  struct filed {
    std::size_t block = 0;
    std::size_t page = 0;
    std::optional<std::size_t> item = {};
  };
  static std::vector<filed> all_of(const page_table& table);
  template <class Each>
  void in_portions(std::span<const filed> all, std::size_t block_bytes, const Each& each);
  void check(std::span<const filed> all, std::size_t block_bytes);
  [[noreturn]] static void complain(const std::byte* at, const filed& about, std::size_t bytes);

  stream stream_;
  buffer pages_;
  buffer store_;
  buffer desk_;  // where the host writes and reads blocks
};

}  // namespace convoy::demo
