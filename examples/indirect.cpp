// g++ -std=c++20 indirect.cpp -o indirect $(pkg-config --cflags --libs convoy)
//
// copy_indirect() reads source, destination and length from a descriptor in device memory when the
// step runs. Here another stream overwrites the descriptor while the step is still queued, and the
// step makes the copy that the new descriptor describes.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <cstring>
#include <future>

namespace {

constexpr convoy::descriptor_layout layout;

void fill_descriptor(std::byte* descriptor, const convoy::copy& copy) {
  const auto length = static_cast<std::uint32_t>(copy.bytes);
  std::memcpy(descriptor + layout.source_offset, &copy.src, sizeof copy.src);
  std::memcpy(descriptor + layout.destination_offset, &copy.dst, sizeof copy.dst);
  std::memcpy(descriptor + layout.length_offset, &length, sizeof length);
}

}  // namespace

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t bytes = 4096;
  auto stream = convoy::make_stream(device), writer = convoy::make_stream(device);
  auto descriptor = convoy::make_device_buffer(device, layout.bytes);
  auto on_host = convoy::make_pinned_buffer(layout.bytes);
  auto sources = convoy::make_pinned_buffer(2 * bytes), result = convoy::make_pinned_buffer(bytes);
  if (!stream || !writer || !descriptor || !on_host || !sources || !result) return 1;
  std::fill_n(sources->data(), bytes, std::byte{1});
  std::fill_n(sources->data() + bytes, bytes, std::byte{2});
  const auto write_descriptor = [&](const convoy::copy& copy) {
    fill_descriptor(on_host->data(), copy);
    return convoy::copy_sync(*writer, {descriptor->data(), on_host->data(), layout.bytes}).ok();
  };

  std::promise<void> overwritten;
  const bool queued = write_descriptor({result->data(), sources->data(), bytes}) &&
                      convoy::call(*stream, [&] { overwritten.get_future().wait(); }) &&
                      convoy::copy_indirect(*stream, descriptor->data());
  const bool changed = write_descriptor({result->data(), sources->data() + bytes, bytes});
  overwritten.set_value();

  if (!queued || !changed || !stream->synchronize().ok()) return 1;
  return std::ranges::count(result->bytes(), std::byte{2}) == bytes ? 0 : 1;
}
