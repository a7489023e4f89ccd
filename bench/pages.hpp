// Memory to copy between, and the flush that makes it cold.

#pragma once

#include <cstddef>

#include "variant.hpp"

namespace convoy::bench {

enum class page_size { huge, small };

// Every page is written once, and never freed.
pools map_pools(std::size_t bytes, page_size pages);

void fill_with_noise(const pools& memory);

// Flushes source and destination of every copy from all caches.
void make_cold(const workload& work);

}  // namespace convoy::bench
