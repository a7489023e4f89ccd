// g++ -std=c++20 kv_offload.cpp -o kv_offload $(pkg-config --cflags --libs convoy)
//
// Offload of a paged KV cache: 3000 blocks, scattered over the pages of a device, are copied to
// host memory as one batch and restored to other pages as another.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t block = 16 << 10, pages = 4096, moved = 3000;

void write_block(std::byte* start, std::size_t number) {
  for (std::size_t i = 0; i != block; ++i) start[i] = std::byte(number * 31 + i / 64);
}

}  // namespace

int main() {
  constexpr convoy::device_id device{0};
  auto stream = convoy::make_stream(device);
  auto cache = convoy::make_device_buffer(device, pages * block);
  auto store = convoy::make_pinned_buffer(pages * block);
  if (!stream || !cache || !store) return 1;
  std::vector<std::size_t> page(pages);  // page of each block, in random order
  std::iota(page.begin(), page.end(), std::size_t{0});
  std::shuffle(page.begin(), page.end(), std::mt19937(1));
  const auto in_cache = [&](std::size_t number) { return cache->data() + page[number] * block; };
  const auto in_store = [&](std::size_t number) { return store->data() + number * block; };

  std::vector<convoy::copy> fill, offload, restore;
  for (std::size_t n = 0; n != moved; ++n) {
    write_block(in_store(n), n);
    fill.push_back({in_cache(n), in_store(n), block});
    offload.push_back({in_store(n), in_cache(n), block});
    restore.push_back({in_cache(moved - 1 - n), in_store(n), block});  // to another block's page
  }
  if (!convoy::submit(*stream, fill) || !stream->synchronize().ok()) return 1;
  std::memset(store->data(), 0, store->size());
  if (!convoy::submit(*stream, offload) || !convoy::submit(*stream, restore)) return 1;
  if (!convoy::submit(*stream, convoy::copy{store->data(), cache->data(), cache->size()})) return 1;
  if (!stream->synchronize().ok()) return 1;

  std::vector<std::byte> expected(block);
  for (std::size_t n = 0; n != moved; ++n) {
    write_block(expected.data(), n);
    if (std::memcmp(in_store(page[moved - 1 - n]), expected.data(), block) != 0) return 1;
  }
  std::printf("%zu blocks of %zu bytes offloaded and restored\n", moved, block);
}
