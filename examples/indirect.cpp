// g++ -std=c++20 indirect.cpp -o indirect $(pkg-config --cflags --libs convoy)
//
// copy_indirect() reads source, destination and length from device memory when the step runs. The
// descriptor changes here, by a copy of another stream, while the step is still queued.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <cstring>
#include <future>

namespace {

void describe(std::byte* where, const convoy::copy& c) {
  constexpr convoy::descriptor_layout layout;
  const auto length = static_cast<std::uint32_t>(c.bytes);
  std::memcpy(where + layout.source_offset, &c.src, sizeof c.src);
  std::memcpy(where + layout.destination_offset, &c.dst, sizeof c.dst);
  std::memcpy(where + layout.length_offset, &length, sizeof length);
}

}  // namespace

int main() {
  constexpr convoy::device_id device{0};
  constexpr convoy::descriptor_layout layout;
  constexpr std::size_t bytes = 4096;
  auto stream = convoy::make_stream(device), writer = convoy::make_stream(device);
  auto descriptor = convoy::make_device_buffer(device, layout.bytes);
  auto written = convoy::make_pinned_buffer(layout.bytes);
  auto here = convoy::make_pinned_buffer(2 * bytes), back = convoy::make_pinned_buffer(bytes);
  if (!stream || !writer || !descriptor || !written || !here || !back) return 1;
  std::fill_n(here->data(), bytes, std::byte{1});
  std::fill_n(here->data() + bytes, bytes, std::byte{2});
  const auto write = [&](const convoy::copy& what) {
    describe(written->data(), what);
    return convoy::copy_sync(*writer, {descriptor->data(), written->data(), layout.bytes}).ok();
  };

  std::promise<void> rewritten;
  const bool queued = write({back->data(), here->data(), bytes}) &&
                      convoy::call(*stream, [&] { rewritten.get_future().wait(); }) &&
                      convoy::copy_indirect(*stream, descriptor->data());
  const bool changed = write({back->data(), here->data() + bytes, bytes});
  rewritten.set_value();

  if (!queued || !changed || !stream->synchronize().ok()) return 1;
  return std::ranges::count(back->bytes(), std::byte{2}) == bytes ? 0 : 1;
}
