// The properties and counters of a memory pool.
//
// The engine's allocator serves every pool, so a pool only counts: bytes used, bytes reserved, and
// the high-water mark of each. The mutex of the pool table in calls/pools.cpp guards it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "types/memory.h"

namespace convoy::cuda {

class memory_pool {
 public:
  explicit memory_pool(const cudaMemPoolProps& properties, bool default_pool)
      : props(properties), is_default(default_pool) {}

  void add_used(std::size_t bytes) {
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, rounded(used));
    reserved_high = std::max(reserved_high, reserved);
  }
  void remove_used(std::size_t bytes) { used -= std::min(used, bytes); }

  void reset() {
    reuse = {1, 1, 1};
    threshold = 0;
    access.clear();
    shrink_to(0);
    used_high = used;
    reserved_high = reserved;
  }

  // Releases reserved memory that is not used, down to `min_reserved`.
  void shrink_to(std::uint64_t min_reserved) {
    reserved = std::max(rounded(used), std::min(reserved, rounded(min_reserved)));
  }

  const cudaMemPoolProps props;
  const bool is_default;
  bool alive = true;
  std::array<int, 3> reuse = {1, 1, 1};
  std::uint64_t threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t reserved = 0;
  std::uint64_t reserved_high = 0;
  std::map<int, cudaMemAccessFlags> access = {};

 private:
  static constexpr std::uint64_t granularity = 32 << 20;
  static std::uint64_t rounded(std::uint64_t bytes) {
    return bytes > UINT64_MAX - granularity ? UINT64_MAX
                                            : (bytes + granularity - 1) / granularity * granularity;
  }
};

}  // namespace convoy::cuda
