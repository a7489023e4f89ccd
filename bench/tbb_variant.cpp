#include <algorithm>
#include <cstring>
#include <execution>

#include "variant.hpp"

namespace convoy::bench {
namespace {

void run_par_unseq(std::span<const copy> batch) {
  std::for_each(std::execution::par_unseq, batch.begin(), batch.end(),
                [](const copy& c) { std::memcpy(c.dst, c.src, c.bytes); });
}

const bool added = add_variant([]() -> variant_or_reason {
  return variant{.name = "par_unseq (oneTBB)", .kind = family::loop, .run = run_par_unseq};
});

}  // namespace
}  // namespace convoy::bench
