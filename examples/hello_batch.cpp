// g++ -std=c++20 hello_batch.cpp -o hello_batch $(pkg-config --cflags --libs convoy)
//
// Eight blocks go to scattered pages of a device as one batch and come back as another.
#include <convoy/convoy.hpp>
#include <cstring>
#include <vector>

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t block = 4096, blocks = 8, bytes = blocks * block;
  auto stream = convoy::make_stream(device);
  auto pages = convoy::make_device_buffer(device, bytes);
  auto source = convoy::make_pinned_buffer(bytes), result = convoy::make_pinned_buffer(bytes);
  if (!stream || !pages || !source || !result) return 1;
  for (std::size_t i = 0; i != bytes; ++i) source->data()[i] = std::byte(i / 7);

  std::vector<convoy::copy> to_device, to_host;
  for (std::size_t i = 0; i != blocks; ++i) {
    std::byte* const page = pages->data() + i * 5 % blocks * block;  // scattered
    to_device.push_back({page, source->data() + i * block, block});
    to_host.push_back({result->data() + i * block, page, block});
  }
  const auto upload = convoy::submit(*stream, to_device);  // one step: eight copies in no order
  const auto download = convoy::submit(*stream, to_host);  // runs after the upload has landed
  if (!upload || !download || !stream->synchronize().ok()) return 1;
  return std::memcmp(source->data(), result->data(), bytes) == 0 ? 0 : 1;
}
