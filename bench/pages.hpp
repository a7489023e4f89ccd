// Memory to copy between, and how to make it cold.

#pragma once

#include <cstddef>

#include "variant.hpp"

namespace convoy::bench {

enum class page_size { huge, small };

// Touched and never freed.
pools map_pools(std::size_t bytes, page_size pages);

void fill_with_noise(const pools& memory);

// Drops both ends of every copy from all caches.
void make_cold(const workload& work);

}  // namespace convoy::bench
