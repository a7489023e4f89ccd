// g++ -std=c++20 during_call.cpp -o during_call $(pkg-config --cflags --libs convoy)
//
// With source_access::during_call the program may overwrite the sources as soon as submit()
// returns, even if the batch itself has to wait. Here it waits for a host function, which blocks
// the stream until the sources have been overwritten.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <future>
#include <vector>

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t block = 64 << 10, blocks = 16, bytes = blocks * block;
  auto stream = convoy::make_stream(device);
  auto on_device = convoy::make_device_buffer(device, bytes);
  auto result = convoy::make_pinned_buffer(bytes);
  if (!stream || !on_device || !result) return 1;
  std::vector<std::byte> source(bytes, std::byte{1});
  std::vector<convoy::copy> copies;
  for (std::size_t i = 0; i != blocks; ++i) {
    copies.push_back({on_device->data() + i * block, source.data() + i * block, block});
  }

  std::promise<void> overwritten;
  const bool blocked = convoy::call(*stream, [&] { overwritten.get_future().wait(); }).ok();
  const bool submitted =
      convoy::submit(*stream, copies, {.order = convoy::source_access::during_call}).ok();
  std::ranges::fill(source, std::byte{2});
  overwritten.set_value();

  const convoy::copy to_host{result->data(), on_device->data(), bytes};
  if (!blocked || !submitted || !convoy::copy_sync(*stream, to_host).ok()) return 1;
  return std::ranges::count(result->bytes(), std::byte{1}) == bytes ? 0 : 1;
}
