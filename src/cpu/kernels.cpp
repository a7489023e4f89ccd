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
// stores take about half the time of streamed ones if both ends were in the cache, and 1.1 to 1.6
// times theirs if not. In the cache the two break even near four times this size. A claimed L3 may
// be shared with strangers, so it counts for little.
bool stays_in_cache(const batch_shape& shape, const os::processor& on) noexcept {
  constexpr std::size_t most_of_l3 = std::size_t{2} << 20;
  return shape.bytes <= std::max(on.l2, std::min(on.l3 / 16, most_of_l3));
}

// Parts of lines at both ends cost more than streaming the few between them gains.
bool breaks_lines(const batch_shape& shape, std::size_t average, const os::processor& on) noexcept {
  const std::size_t worth_it = on.widest == os::vectors::avx512 ? 256 : 512;
  return average < worth_it && !shape.whole_lines();
}

// How sources are fetched ahead, as measured. On Sapphire Rapids streamed copies of two lines and
// more gain 4 to 25 % when they are fetched to the second cache, because their stores need the
// buffers that lead to the first: all of copies up to a kilobyte, and the beginning of longer ones,
// which the processor fetches by itself once they are begun. Copies of one line gain nothing from
// the detour, and batches that stay in the cache nothing from any fetching, be they in it or not.
// On Zen 3 copies of about a kilobyte gain from all of it.
void choose_fetching(kernel_choice& choice, std::size_t average, bool cached,
                     const os::processor& on) noexcept {
  const bool wide = on.widest == os::vectors::avx512;
  if (wide && cached) return;
  choice.ahead = average <= 512 ? 16 : 4;
  if (!wide) {
    choice.prefetch_bytes = average > 512 && average <= 2048 ? 1024 : 256;
    return;
  }
  choice.prefetch_bytes = 128;
  if (choice.how == stores::ordinary || average <= 64) return;
  const bool wholly = average <= 1536;
  choice.ahead = wholly ? 32 : 4;
  choice.prefetch_bytes = wholly ? 1024 : 256;
  choice.fetched_to = nearness::second_cache;
}

// Streamed stores are ordered by no atomic of x86; the caller's release would let them pass.
void fence(stores how) noexcept {
  if (how == stores::non_temporal) hwy::FlushStream();
}

}  // namespace

kernel_choice choose(const batch_shape& shape, const os::processor& on) noexcept {
  if (shape.count == 0) return {};
  const std::size_t average = shape.bytes / shape.count;
  const bool cached = stays_in_cache(shape, on);
  const bool streams = !cached && !breaks_lines(shape, average, on);

  kernel_choice choice;
  choice.how = streams ? stores::non_temporal : stores::ordinary;
  choose_fetching(choice, average, cached, on);
  return choice;
}

void copy_scattered(std::span<const copy> copies, std::size_t first, std::size_t last,
                    kernel_choice choice, volatile std::size_t* progress) noexcept {
  best_kernels().scattered({copies.data() + first, last - first, first, progress}, choice);
  fence(choice.how);
}

void copy_piece(void* dst, const void* src, std::size_t bytes, stores how) noexcept {
  const copy whole{dst, src, bytes};
  volatile std::size_t progress = 0;
  best_kernels().scattered({&whole, 1, 0, &progress}, {how});
  fence(how);
}

void fill(const row_fill& what, stores how, volatile std::size_t* progress) noexcept {
  best_kernels().fill(what, how, progress);
  fence(how);
}

void reduce_with(const kernel_table& kernels, const reduction& what) noexcept {
  const std::size_t rest = what.bytes % reduced_at_once;
  reduction part = what;
  part.bytes -= rest;
  kernels.reduce(part);
  if (rest == 0) return;

  std::byte there[reduced_at_once] = {};
  std::byte other[reduced_at_once] = {};
  std::byte* const last = static_cast<std::byte*>(what.dst) + part.bytes;
  std::memcpy(there, last, rest);
  std::memcpy(other, static_cast<const std::byte*>(what.src) + part.bytes, rest);
  kernels.reduce({there, other, reduced_at_once, what.kind, what.type});
  std::memcpy(last, there, rest);
}

void reduce(const reduction& what) noexcept { reduce_with(best_kernels(), what); }

}  // namespace convoy::cpu
