#include "shared/bare_kernels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "os/cpu_features.hpp"

namespace convoy::tools {
namespace {

using clock = std::chrono::steady_clock;

// Small enough that a thread which loses its CPU for a while does not delay the others.
constexpr std::size_t unit_bytes = std::size_t{128} << 10;
constexpr std::size_t piece_bytes = std::size_t{512} << 10;

void copy_range(const split_batch& batch, std::size_t first, std::size_t last,
                cpu::kernel_choice kernels) {
  volatile std::size_t progress = 0;
  cpu::copy_scattered(batch.pieces, first, last, kernels, &progress);
}

}  // namespace

void copy_with_memcpy(std::span<const copy> copies) {
  for (const copy& c : copies) std::memcpy(c.dst, c.src, c.bytes);
}

cpu::kernel_choice convoys_kernels(std::span<const copy> copies) {
  cpu::batch_shape shape;
  for (const copy& c : copies) shape.add(c);
  return cpu::choose(shape, os::this_processor());
}

split_batch split(std::span<const copy> copies) {
  split_batch made;
  std::size_t bytes = 0;
  for (const copy& c : copies) {
    bytes += c.bytes;
    for (std::size_t at = 0; at < c.bytes; at += piece_bytes)
      made.pieces.push_back({static_cast<std::byte*>(c.dst) + at,
                             static_cast<const std::byte*>(c.src) + at,
                             std::min(piece_bytes, c.bytes - at)});
  }
  const std::size_t count = made.pieces.size();
  const std::size_t average = std::max<std::size_t>(bytes / count, 1);
  const std::size_t most = bytes <= unit_bytes ? count : std::max<std::size_t>(count / 8, 1);
  made.unit = std::clamp<std::size_t>(unit_bytes / average, 1, most);
  return made;
}

void copy_alone(const split_batch& batch, cpu::kernel_choice kernels) {
  copy_range(batch, 0, batch.pieces.size(), kernels);
}

void copy_together(thread_team& team, const split_batch& batch, cpu::kernel_choice kernels) {
  if (batch.is_one_unit()) return copy_alone(batch, kernels);
  std::atomic<std::size_t> next = 0;
  const std::size_t count = batch.pieces.size();
  team.run([&] {
    for (std::size_t first; (first = next.fetch_add(batch.unit)) < count;)
      copy_range(batch, first, std::min(first + batch.unit, count), kernels);
  });
}

seconds time_together(thread_team& team, const split_batch& batch, cpu::kernel_choice kernels) {
  team.wake();
  const auto start = clock::now();
  copy_together(team, batch, kernels);
  const seconds taken = clock::now() - start;
  team.park();
  return taken;
}

cpu::kernel_choice fastest_kernels(thread_team& team, std::span<const copy> copies) {
  struct trial {
    cpu::kernel_choice kernels;
    seconds least = seconds::max();
  };
  std::vector<trial> trials{{convoys_kernels(copies)}};
  for (const auto stores : {cpu::store_kind::ordinary, cpu::store_kind::non_temporal}) {
    for (const std::uint16_t prefetched : std::to_array<std::uint16_t>({128, 256, 1024}))
      trials.push_back({{stores, 4, prefetched}});
  }
  const split_batch batch = split(copies);
  for (int round = 0; round != 5; ++round) {
    for (trial& t : trials) t.least = std::min(t.least, time_together(team, batch, t.kernels));
  }
  return std::ranges::min(trials, {}, &trial::least).kernels;
}

}  // namespace convoy::tools
