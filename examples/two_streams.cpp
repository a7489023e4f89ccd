// g++ -std=c++20 two_streams.cpp -o two_streams $(pkg-config --cflags --libs convoy)
//
// One stream sends bytes to a device, another fetches them. Streams know nothing of each other; an
// event recorded in the one and awaited in the other puts the fetching after the sending.
#include <algorithm>
#include <convoy/convoy.hpp>

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t bytes = 32 << 20;
  auto sender = convoy::make_stream(device);
  auto fetcher = convoy::make_stream(device);
  auto sent = convoy::make_event(device);
  auto remote = convoy::make_device_buffer(device, bytes);
  auto here = convoy::make_pinned_buffer(bytes);
  auto back = convoy::make_pinned_buffer(bytes);
  if (!sender || !fetcher || !sent || !remote || !here || !back) return 1;
  std::ranges::fill(here->bytes(), std::byte{42});

  const convoy::copy out{remote->data(), here->data(), bytes};
  const convoy::copy in{back->data(), remote->data(), bytes};
  const bool submitted = convoy::submit(*sender, out) && convoy::record(*sender, *sent) &&
                         convoy::wait(*fetcher, *sent) && convoy::submit(*fetcher, in);
  if (!submitted || !fetcher->synchronize().ok()) return 1;

  return std::ranges::equal(here->bytes(), back->bytes()) ? 0 : 1;
}
