// g++ -std=c++20 two_streams.cpp -o two_streams $(pkg-config --cflags --libs convoy)
//
// One stream copies bytes to a device, another copies them back. Streams run independently: an
// event that the first records and the second waits for orders the second copy after the first.
#include <algorithm>
#include <convoy/convoy.hpp>

int main() {
  constexpr convoy::device_id device{0};
  constexpr std::size_t bytes = 32 << 20;
  auto upload = convoy::make_stream(device);
  auto download = convoy::make_stream(device);
  auto uploaded = convoy::make_event(device);
  auto on_device = convoy::make_device_buffer(device, bytes);
  auto source = convoy::make_pinned_buffer(bytes);
  auto result = convoy::make_pinned_buffer(bytes);
  if (!upload || !download || !uploaded || !on_device || !source || !result) return 1;
  std::ranges::fill(source->bytes(), std::byte{42});

  const convoy::copy to_device{on_device->data(), source->data(), bytes};
  const convoy::copy to_host{result->data(), on_device->data(), bytes};
  const bool submitted = convoy::submit(*upload, to_device) && convoy::record(*upload, *uploaded) &&
                         convoy::wait(*download, *uploaded) && convoy::submit(*download, to_host);
  if (!submitted || !download->synchronize().ok()) return 1;

  return std::ranges::equal(source->bytes(), result->bytes()) ? 0 : 1;
}
