#include "rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace convoy::bench {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

std::vector<std::size_t> shuffled_slots(std::size_t slots, std::size_t wanted, unsigned seed) {
  std::vector<std::size_t> order(slots);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  order.resize(std::min(slots, wanted));
  return order;
}

// `count` copies of `bytes` between random slots of the two pools.
std::vector<copy> scatter(const pools& memory, std::size_t count, std::size_t bytes,
                          std::size_t slot) {
  const auto from = shuffled_slots(memory.bytes / slot, count, 1);
  const auto to = shuffled_slots(memory.bytes / slot, count, 2);
  std::vector<copy> copies;
  for (std::size_t i = 0; i < from.size(); ++i)
    copies.push_back({memory.dst + to[i] * slot, memory.src + from[i] * slot, bytes});
  return copies;
}

workload scattered(const row& self, const pools& memory) {
  return {self.name, {scatter(memory, self.count, self.bytes, self.bytes)}};
}

// Sizes are multiples of a cache line, uniform in their logarithm.
workload mixed(const row& self, const pools& memory) {
  auto copies = scatter(memory, self.count, self.bytes, self.bytes);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(6, std::log2(double(self.bytes)));
  for (copy& c : copies) c.bytes = std::size_t(std::exp2(exponent(random))) / 64 * 64;
  return {self.name, {copies}};
}

workload misaligned(const row& self, const pools& memory) {
  auto copies = scatter(memory, self.count, self.bytes, self.bytes + 64);
  std::mt19937_64 random(4);
  for (copy& c : copies) {
    c.dst = static_cast<std::byte*>(c.dst) + random() % 64;
    c.src = static_cast<const std::byte*>(c.src) + random() % 64;
  }
  return {self.name, {copies}};
}

workload runs_of_neighbours(const row& self, const pools& memory) {
  std::vector<copy> copies;
  for (const copy& run :
       scatter(memory, self.count / self.group, self.bytes * self.group, self.bytes * self.group)) {
    for (std::size_t at = 0; at < run.bytes; at += self.bytes)
      copies.push_back({static_cast<std::byte*>(run.dst) + at,
                        static_cast<const std::byte*>(run.src) + at, self.bytes});
  }
  return {self.name, {copies}};
}

workload warm_and_read(const row& self, const pools& memory) {
  const pools corner{memory.src, memory.dst, self.count * self.bytes};
  return {self.name, {scatter(corner, self.count, self.bytes, self.bytes)}, false, true};
}

workload small_batches(const row& self, const pools& memory) {
  const auto copies = scatter(memory, self.count, self.bytes, self.bytes);
  workload made{self.name, {}};
  for (auto at = copies.begin(); at != copies.end(); at += std::ptrdiff_t(self.group))
    made.batches.emplace_back(at, at + std::ptrdiff_t(self.group));
  return made;
}

workload small_warm_batches(const row& self, const pools& memory) {
  const pools corner{memory.src, memory.dst, self.count * self.bytes};
  workload made = small_batches(self, corner);
  made.cold = false;
  const auto once = made.batches;
  for (int again = 1; again < 16; ++again)
    made.batches.insert(made.batches.end(), once.begin(), once.end());
  return made;
}

std::vector<row> full_rows() {
  using enum page_size;
  return {
      {"{} x 64 B", huge, scattered, 65536, 64},
      {"{} x 256 B", huge, scattered, 32768, 256},
      {"{} x 1 KiB", huge, scattered, 16384, kib},
      {"{} x 4 KiB", huge, scattered, 16384, 4 * kib},
      {"{} x 16 KiB", huge, scattered, 4096, 16 * kib},
      {"{} x 64 KiB", huge, scattered, 4096, 64 * kib},
      {"{} x 1 MiB", huge, scattered, 256, mib},
      {"{} x 64 MiB", huge, scattered, 8, 64 * mib},
      {"{} x 64 B to 64 KiB", huge, mixed, 8192, 64 * kib},
      {"{} x 256 B misaligned", huge, misaligned, 32768, 256},
      {"{} x 1000 B misaligned", huge, misaligned, 16384, 1000},
      {"{} x 256 B in runs of 16", huge, runs_of_neighbours, 32768, 256, 16},
      {"{} x 256 B warm, read next", huge, warm_and_read, 4096, 256},
      {"{} x 4 KiB warm, read next", huge, warm_and_read, 256, 4 * kib},
      {"{} x 4 KiB warm, read next", huge, warm_and_read, 2048, 4 * kib},
      {"1 x 4 KiB at a time", huge, small_batches, 256, 4 * kib, 1},
      {"16 x 4 KiB at a time", huge, small_batches, 1024, 4 * kib, 16},
      {"256 x 4 KiB at a time", huge, small_batches, 4096, 4 * kib, 256},
      {"1 x 4 KiB at a time, warm", huge, small_warm_batches, 16, 4 * kib, 1},
      {"16 x 256 B at a time, warm", huge, small_warm_batches, 256, 256, 16},
      {"{} x 64 B, 4 KiB pages", small, scattered, 65536, 64},
      {"{} x 256 B, 4 KiB pages", small, scattered, 32768, 256},
      {"{} x 4 KiB, 4 KiB pages", small, scattered, 16384, 4 * kib},
  };
}

}  // namespace

std::vector<row> make_rows(length wanted) {
  constexpr std::size_t long_batch = 16 * mib;
  std::vector<row> rows = full_rows();
  for (row& each : rows) {
    const bool shorten = wanted == length::brief && each.count * each.bytes > long_batch;
    if (shorten && each.make != small_batches)
      each.count = std::max<std::size_t>(each.count / 8, 1);
    each.name = fmt::format(fmt::runtime(each.name), each.count);
  }
  return rows;
}

}  // namespace convoy::bench
