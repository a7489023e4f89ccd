#include "cpu/kernels.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "cpu/kernel_table.hpp"

namespace convoy::cpu {
namespace {

const kernel_table& best_kernels() noexcept {
  static const kernel_table& best = kernels_for(os::this_processor().widest);
  return best;
}

// A compromise, measured on Sapphire Rapids with a reader that follows. Up to this size ordinary
// stores take about half the time of non-temporal ones if source and destination were in the cache,
// and 1.1 to 1.6 times as long if not. In the cache the two break even near four times this size. A
// reported L3 may be shared with other virtual machines, so only a part of it counts.
bool stays_in_cache(const batch_shape& shape, const os::processor& cpu) noexcept {
  constexpr std::size_t max_l3_share = std::size_t{2} << 20;
  return shape.totals.bytes <= std::max(cpu.l2, std::min(cpu.l3 / 16, max_l3_share));
}

// For short copies the partial lines at both ends cost more than non-temporal stores gain.
bool splits_lines(const batch_shape& shape, std::size_t average,
                  const os::processor& cpu) noexcept {
  const std::size_t least_average = cpu.widest == os::vectors::avx512 ? 256 : 512;
  return average < least_average && !shape.totals.whole_lines();
}

// Software prefetch of sources, as measured. On Sapphire Rapids non-temporal copies of two lines
// and more gain 4 to 25 % from a prefetch to L2, because their stores occupy the fill buffers of
// L1: all of copies up to 1 KiB, and the start of longer ones, which the hardware prefetcher
// continues. Copies of one line gain nothing from L2, and batches that stay in the cache gain
// nothing from any prefetch. On Zen 3 copies of about 1 KiB gain from a prefetch of all of it.
void choose_prefetch(kernel_choice& choice, std::size_t average, bool cached,
                     const os::processor& cpu) noexcept {
  const bool wide = cpu.widest == os::vectors::avx512;
  if (wide && cached) return;
  choice.prefetch_distance = average <= 512 ? 16 : 4;
  if (!wide) {
    choice.prefetch_bytes = average > 512 && average <= 2048 ? 1024 : 256;
    return;
  }
  choice.prefetch_bytes = 128;
  if (choice.stores == store_kind::ordinary || average <= cache_line_bytes) return;
  const bool whole_copy = average <= 1536;
  choice.prefetch_distance = whole_copy ? 32 : 4;
  choice.prefetch_bytes = whole_copy ? 1024 : 256;
  choice.prefetch_to = cache_level::l2;
}

// On x86 a release store does not order non-temporal stores, so they need an explicit fence.
void fence(store_kind stores) noexcept {
  if (stores == store_kind::non_temporal) hwy::FlushStream();
}

}  // namespace

kernel_choice choose(const batch_shape& shape, const os::processor& cpu) noexcept {
  if (shape.count == 0) return {};
  const std::size_t average = shape.totals.bytes / shape.count;
  const bool cached = stays_in_cache(shape, cpu);
  const bool streams = !cached && !splits_lines(shape, average, cpu);

  kernel_choice choice;
  choice.stores = streams ? store_kind::non_temporal : store_kind::ordinary;
  choose_prefetch(choice, average, cached, cpu);
  return choice;
}

void copy_scattered(std::span<const copy> copies, std::size_t first, std::size_t last,
                    kernel_choice choice, volatile std::size_t* progress) noexcept {
  best_kernels().scattered({copies.data() + first, last - first, first, progress}, choice);
  fence(choice.stores);
}

void copy_piece(void* dst, const void* src, std::size_t bytes, store_kind stores) noexcept {
  const copy whole{dst, src, bytes};
  volatile std::size_t progress = 0;
  best_kernels().scattered({&whole, 1, 0, &progress}, {stores});
  fence(stores);
}

void fill(const row_fill& work, store_kind stores, volatile std::size_t* progress) noexcept {
  best_kernels().fill(work, stores, progress);
  fence(stores);
}

void reduce_with(const kernel_table& kernels, const reduction& work) noexcept {
  const std::size_t tail = work.bytes % reduce_block;
  reduction part = work;
  part.bytes -= tail;
  kernels.reduce(part);
  if (tail == 0) return;

  std::byte current[reduce_block] = {};
  std::byte other[reduce_block] = {};
  std::byte* const last = static_cast<std::byte*>(work.dst) + part.bytes;
  std::memcpy(current, last, tail);
  std::memcpy(other, static_cast<const std::byte*>(work.src) + part.bytes, tail);
  kernels.reduce({current, other, reduce_block, work.kind, work.type});
  std::memcpy(last, current, tail);
}

void reduce(const reduction& work) noexcept { reduce_with(best_kernels(), work); }

}  // namespace convoy::cpu
