#include "cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

constexpr device_id device_used{0};
constexpr std::size_t staging_bytes = std::size_t{16} << 20;

// No two words of a cache are equal: multiplying by an odd factor is a bijection.
std::uint64_t word_at(std::size_t block, std::size_t index) {
  return (std::uint64_t{block} << 32 | index) * 0x9E3779B97F4A7C15;
}

void write_block(std::byte* at, std::size_t block, std::size_t bytes) {
  for (std::size_t i = 0; i != bytes / 8; ++i) {
    const std::uint64_t word = word_at(block, i);
    std::memcpy(at + i * 8, &word, 8);
  }
}

bool is_block(const std::byte* at, std::size_t block, std::size_t bytes) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i != bytes / 8; ++i) {
    std::uint64_t word;
    std::memcpy(&word, at + i * 8, 8);
    wrong |= word ^ word_at(block, i);
  }
  return wrong == 0;
}

}  // namespace

cache::cache(std::size_t bytes)
    : stream_(must(make_stream(device_used))),
      pages_(must(make_device_buffer(device_used, bytes))),
      store_(must(make_pinned_buffer(moved_part(bytes)))),
      staging_(must(make_pinned_buffer(staging_bytes))) {}

void cache::throw_mismatch(const std::byte* at, const placed_block& expected, std::size_t bytes) {
  std::vector<std::byte> right(bytes);
  write_block(right.data(), expected.block, bytes);
  const auto [good, bad] = std::mismatch(right.begin(), right.end(), at);
  const std::string item = expected.item ? fmt::format("item {}, ", *expected.item) : "";
  throw std::runtime_error(
      fmt::format("blocks of {} bytes: {}block {}: byte {} is {:#04x}, not {:#04x}", bytes, item,
                  expected.block, good - right.begin(), std::to_integer<int>(*bad),
                  std::to_integer<int>(*good)));
}

cache_memory cache::memory(std::size_t block_bytes) const {
  return {pages_.data(), store_.data(), block_bytes};
}

seconds cache::run(std::span<const copy> copies) {
  const auto start = std::chrono::steady_clock::now();
  const ticket last = must(submit(stream_, copies));
  must(stream_.synchronize(last));
  return std::chrono::steady_clock::now() - start;
}

// Calls each(group) with as many blocks at a time as fit into the staging buffer.
template <class Each>
void cache::in_batches(std::span<const placed_block> all, std::size_t block_bytes,
                       const Each& each) {
  const std::size_t most = staging_bytes / block_bytes;
  for (; !all.empty(); all = all.subspan(std::min(most, all.size()))) {
    each(all.first(std::min(most, all.size())));
  }
}

void cache::fill(const page_table& table, std::size_t block_bytes) {
  in_batches(all_of(table), block_bytes, [&](std::span<const placed_block> group) {
    std::vector<copy> copies;
    for (std::byte* at = staging_.data(); const placed_block& f : group) {
      write_block(at, f.block, block_bytes);
      copies.push_back({pages_.data() + f.page * block_bytes, at, block_bytes});
      at += block_bytes;
    }
    run(copies);
  });
}

void cache::check(std::span<const placed_block> all, std::size_t block_bytes) {
  in_batches(all, block_bytes, [&](std::span<const placed_block> group) {
    std::vector<copy> copies;
    for (std::byte* at = staging_.data(); const placed_block& f : group) {
      copies.push_back({at, pages_.data() + f.page * block_bytes, block_bytes});
      at += block_bytes;
    }
    run(copies);
    for (const std::byte* at = staging_.data(); const placed_block& f : group) {
      if (!is_block(at, f.block, block_bytes)) throw_mismatch(at, f, block_bytes);
      at += block_bytes;
    }
  });
}

void cache::verify(std::span<const move> moves, std::size_t block_bytes) {
  std::vector<placed_block> all;
  for (std::size_t item = 0; item != moves.size(); ++item) {
    const move& m = moves[restore_index(moves.size(), item)];
    all.push_back({m.block, m.to_page, item});
  }
  check(all, block_bytes);
}

void cache::verify_all(const page_table& table, std::size_t block_bytes) {
  check(all_of(table), block_bytes);
}

std::vector<cache::placed_block> cache::all_of(const page_table& table) {
  std::vector<placed_block> all;
  for (std::size_t b = 0; b != table.blocks(); ++b) all.push_back({b, table.page_of(b), {}});
  return all;
}

void cache::corrupt() { store_.data()[store_.size() / 3] ^= std::byte{1}; }

host_cache::host_cache(std::size_t bytes)
    : pages_(must(make_pinned_buffer(bytes))),
      store_(must(make_pinned_buffer(moved_part(bytes)))) {}

}  // namespace convoy::tools
