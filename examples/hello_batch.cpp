// g++ -std=c++20 hello_batch.cpp -o hello_batch $(pkg-config --cflags --libs convoy)
#include <convoy/convoy.hpp>
#include <cstring>
#include <vector>

int main() {
  constexpr std::size_t block = 4096, blocks = 8, all = blocks * block;
  auto stream = convoy::make_stream(convoy::device_id{0});
  auto remote = convoy::make_device_buffer(convoy::device_id{0}, all);
  auto here = convoy::make_pinned_buffer(all), back = convoy::make_pinned_buffer(all);
  if (!stream || !remote || !here || !back) return 1;
  for (std::size_t i = 0; i != all; ++i) here->data()[i] = std::byte(i / 7);

  std::vector<convoy::copy> out, in;
  for (std::size_t i = 0; i != blocks; ++i) {
    std::byte* const page = remote->data() + i * 5 % blocks * block;  // scattered
    out.push_back({page, here->data() + i * block, block});
    in.push_back({back->data() + i * block, page, block});
  }
  const auto sent = convoy::submit(*stream, out);    // eight copies, in no order
  const auto fetched = convoy::submit(*stream, in);  // after all of them, in stream order
  if (!sent || !fetched || !stream->synchronize().ok()) return 1;
  return std::memcmp(here->data(), back->data(), all) == 0 ? 0 : 1;
}
