// The memory in which the rivals copy.
#pragma once

#include "cache.hpp"

namespace convoy::demo {

// Memory like a cache's and its store's, all of it in reach of the host.
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

}  // namespace convoy::demo
