#include <cstring>

#include "variant.hpp"

namespace convoy::bench {
namespace {

void copy_one_by_one(std::span<const copy> batch) {
  for (const copy& c : batch) std::memcpy(c.dst, c.src, c.bytes);
}

const bool added = add_variant([]() -> variant_or_reason {
  return variant{.name = "memcpy loop", .kind = family::loop, .run = copy_one_by_one};
});

}  // namespace
}  // namespace convoy::bench
