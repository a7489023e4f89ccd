// A paged KV cache in device memory, with a store in pinned host memory. Blocks are moved through
// the public API only; the bytes of a block are computed from its number.
#pragma once

#include <convoy/convoy.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "block_moves.hpp"
#include "shared/bare_kernels.hpp"

namespace convoy::tools {

class cache {
 public:
  explicit cache(std::size_t bytes);

  // Writes every block of the table into its page.
  void fill(const page_table& table, std::size_t block_bytes);

  [[nodiscard]] cache_memory memory(std::size_t block_bytes) const;

  // Submits the batch, waits until it has landed, and returns the time of both.
  seconds run(std::span<const copy> copies);

  // Throws, naming item, block and byte, unless every moved block is intact in its new page.
  void verify(std::span<const move> moves, std::size_t block_bytes);
  void verify_all(const page_table& table, std::size_t block_bytes);

  // Changes one byte in the store, to test that verify() finds it.
  void corrupt();

 private:
  // A block and its page; for a moved block also the item of the batch that moved it.
  struct placed_block {
    std::size_t block = 0;
    std::size_t page = 0;
    std::optional<std::size_t> item = {};
  };
  static std::vector<placed_block> all_of(const page_table& table);
  template <class Each>
  void in_batches(std::span<const placed_block> all, std::size_t block_bytes, const Each& each);
  void check(std::span<const placed_block> all, std::size_t block_bytes);
  [[noreturn]] static void throw_mismatch(const std::byte* at, const placed_block& expected,
                                          std::size_t bytes);

  stream stream_;
  buffer pages_;
  buffer store_;
  buffer staging_;  // the host writes and reads blocks here
};

// Memory of the same layout that the host can access, for the baselines.
class host_cache {
 public:
  explicit host_cache(std::size_t bytes);
  [[nodiscard]] cache_memory memory(std::size_t block_bytes) const {
    return {pages_.data(), store_.data(), block_bytes};
  }

 private:
  buffer pages_;
  buffer store_;
};

}  // namespace convoy::tools
