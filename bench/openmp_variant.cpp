#include <algorithm>
#include <cstring>

#include "variant.hpp"

namespace convoy::bench {
namespace {

void run_dynamic(std::span<const copy> batch) {
  const int chunk = int(std::clamp<std::size_t>(batch.size() / 64, 1, 1024));
#pragma omp parallel for schedule(dynamic, chunk)
  for (const copy& c : batch) std::memcpy(c.dst, c.src, c.bytes);
}

void run_static(std::span<const copy> batch) {
#pragma omp parallel for schedule(static)
  for (const copy& c : batch) std::memcpy(c.dst, c.src, c.bytes);
}

void wake_threads(const workload&) {
#pragma omp parallel
  {}
}

const bool dynamic_added = add_variant([]() -> variant_or_reason {
  return variant{
      .name = "OpenMP dynamic", .kind = family::loop, .run = run_dynamic, .wake = wake_threads};
});

const bool static_added = add_variant([]() -> variant_or_reason {
  return variant{
      .name = "OpenMP static", .kind = family::loop, .run = run_static, .wake = wake_threads};
});

}  // namespace
}  // namespace convoy::bench
