// Memory that a step owns: the snapshot of the caller's arrays, and staged sources.
//
// Returned blocks are reused, because page faults on fresh memory cost more than the copies that
// the blocks describe.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/mutex.hpp"

namespace convoy::memory {

class block_pool;

// Owns a block and returns it to its pool.
class block {
 public:
  block() noexcept = default;
  block(block&& other) noexcept;
  block& operator=(block&& other) noexcept;
  ~block();

  [[nodiscard]] void* data() const noexcept { return start_; }

 private:
  friend block_pool;
  block(block_pool& pool, void* start, unsigned size_class)
      : pool_(&pool), start_(start), class_(size_class) {}

  block_pool* pool_ = nullptr;
  void* start_ = nullptr;
  unsigned class_ = 0;
};

class block_pool {
 public:
  // `limit` bounds the bytes of unused blocks.
  explicit block_pool(std::size_t limit) : limit_(limit) {}
  ~block_pool();
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;

  // A block of at least `bytes`, aligned for any type; data() is null when there is no memory.
  block take(std::size_t bytes);

 private:
  friend block;
  void give(void* start, unsigned size_class);
  void* reuse(unsigned size_class);
  bool store(void* start, unsigned size_class);

  const std::size_t limit_;
  mutex mutex_;
  std::array<std::vector<void*>, 64> unused_ CONVOY_GUARDED_BY(mutex_);  // by log2 of the size
  std::size_t unused_bytes_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy::memory
