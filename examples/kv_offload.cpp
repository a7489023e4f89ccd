// g++ -std=c++20 kv_offload.cpp -o kv_offload $(pkg-config --cflags --libs convoy)
//
// A paged KV cache on a device. Thousands of its blocks, scattered over the pages, go out to host
// memory as one batch and come back as another, to other pages than before.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t block = 16 << 10, pages = 4096, moved = 3000;

void write_block(std::byte* where, std::size_t number) {
  for (std::size_t i = 0; i != block; ++i) where[i] = std::byte(number * 31 + i / 64);
}

}  // namespace

int main() {
  constexpr convoy::device_id device{0};
  auto stream = convoy::make_stream(device);
  auto cache = convoy::make_device_buffer(device, pages * block);
  auto store = convoy::make_pinned_buffer(pages * block);
  if (!stream || !cache || !store) return 1;
  std::vector<std::size_t> page(pages);  // where each block lives, in random order
  std::iota(page.begin(), page.end(), std::size_t{0});
  std::shuffle(page.begin(), page.end(), std::mt19937(1));
  const auto at = [&](std::size_t number) { return cache->data() + page[number] * block; };
  const auto slot = [&](std::size_t number) { return store->data() + number * block; };

  std::vector<convoy::copy> fill, offload, restore;
  for (std::size_t n = 0; n != moved; ++n) {
    write_block(slot(n), n);
    fill.push_back({at(n), slot(n), block});
    offload.push_back({slot(n), at(n), block});
    restore.push_back({at(moved - 1 - n), slot(n), block});  // to the page of another block
  }
  if (!convoy::submit(*stream, fill) || !stream->synchronize().ok()) return 1;
  std::memset(store->data(), 0, store->size());
  if (!convoy::submit(*stream, offload) || !convoy::submit(*stream, restore)) return 1;
  if (!convoy::submit(*stream, convoy::copy{store->data(), cache->data(), cache->size()})) return 1;
  if (!stream->synchronize().ok()) return 1;

  std::vector<std::byte> right(block);
  for (std::size_t n = 0; n != moved; ++n) {
    write_block(right.data(), n);
    if (std::memcmp(slot(page[moved - 1 - n]), right.data(), block) != 0) return 1;
  }
  std::printf("%zu blocks of %zu bytes went out and came back\n", moved, block);
}
