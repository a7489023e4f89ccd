// g++ -std=c++20 during_call.cpp -o during_call $(pkg-config --cflags --libs convoy)
//
// With source_access::during_call the sources may be overwritten as soon as submit() returns, even
// when the batch itself has to wait: here for a host function that holds up the stream until then.
#include <algorithm>
#include <convoy/convoy.hpp>
#include <future>
#include <vector>

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t part = 64 << 10, parts = 16;
  auto stream = convoy::make_stream(device);
  auto remote = convoy::make_device_buffer(device, parts * part);
  auto back = convoy::make_pinned_buffer(parts * part);
  if (!stream || !remote || !back) return 1;
  std::vector<std::byte> source(parts * part, std::byte{1});
  std::vector<convoy::copy> out;
  for (std::size_t i = 0; i != parts; ++i) {
    out.push_back({remote->data() + i * part, source.data() + i * part, part});
  }

  std::promise<void> overwritten;
  const bool held = convoy::call(*stream, [&] { overwritten.get_future().wait(); }).ok();
  const bool sent =
      convoy::submit(*stream, out, {.order = convoy::source_access::during_call}).ok();
  std::ranges::fill(source, std::byte{2});
  overwritten.set_value();

  const convoy::copy in{back->data(), remote->data(), parts * part};
  if (!held || !sent || !convoy::copy_sync(*stream, in).ok()) return 1;
  return std::ranges::count(back->bytes(), std::byte{1}) == parts * part ? 0 : 1;
}
