#include "cpu/kernels.hpp"

#include <hwy/cache_control.h>

#include "cpu/kernel_table.hpp"

namespace convoy::cpu {
namespace {

const kernel_table& best_kernels() noexcept {
  static const kernel_table& best = kernels_for(os::widest_vectors());
  return best;
}

// Streamed stores are ordered by no atomic of x86; the caller's release would let them pass.
void fence(stores how) noexcept {
  if (how == stores::non_temporal) hwy::FlushStream();
}

}  // namespace

kernel_choice choose(const batch_shape& shape, const os::cache_sizes& caches) noexcept {
  if (shape.count == 0) return {};
  const std::size_t average = shape.bytes / shape.count;
  const bool stays_in_cache = shape.bytes <= caches.l2 / 2;
  const bool mostly_partial_lines = average < 1024 && !shape.aligned_to(16);

  kernel_choice choice;
  choice.how = stays_in_cache || mostly_partial_lines ? stores::ordinary : stores::non_temporal;
  choice.ahead = average <= 512 ? 16 : 4;
  choice.prefetch_bytes = average > 512 && average <= 2048 ? 1024 : 256;
  return choice;
}

void copy_scattered(std::span<const copy> copies, std::size_t first, std::size_t last,
                    kernel_choice choice, volatile std::size_t* progress) noexcept {
  best_kernels().scattered(copies.data() + first, copies.data() + last, choice, first, progress);
  fence(choice.how);
}

void copy_piece(void* dst, const void* src, std::size_t bytes, stores how) noexcept {
  best_kernels().piece(dst, src, bytes, how);
  fence(how);
}

void fill(void* dst, std::uint32_t word, std::size_t bytes, stores how) noexcept {
  best_kernels().fill(dst, word, bytes, how);
  fence(how);
}

}  // namespace convoy::cpu
