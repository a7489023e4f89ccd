// What a program outside this tree sees: bytes go to a device and come back in one stream.
#include <algorithm>
#include <array>
#include <convoy/convoy.hpp>
#include <cstddef>
#include <cstdio>

namespace {

constexpr std::size_t half = 4096;

convoy::status round_trip() {
  constexpr convoy::device_id device{0};
  auto there = convoy::make_pinned_buffer(2 * half);
  auto remote = convoy::make_device_buffer(device, 2 * half);
  auto back = convoy::make_pinned_buffer(2 * half);
  auto stream = convoy::make_stream(device);
  if (!there || !remote || !back || !stream) return {convoy::errc::out_of_memory};
  std::ranges::fill(there->bytes(), std::byte{42});

  const std::array out{convoy::copy{remote->data(), there->data(), half},
                       convoy::copy{remote->data() + half, there->data() + half, half}};
  if (const auto sent = convoy::submit(*stream, out); !sent) return sent.error();
  const convoy::copy in{back->data(), remote->data(), 2 * half};
  if (const auto sent = convoy::submit(*stream, in); !sent) return sent.error();
  if (const auto done = stream->synchronize(); !done.ok()) return done;

  const bool same = std::ranges::equal(there->bytes(), back->bytes());
  return same ? convoy::status{} : convoy::status{convoy::errc::device_failure};
}

}  // namespace

int main() {
  const convoy::status outcome = round_trip();
  if (!outcome.ok()) std::fprintf(stderr, "%s\n", convoy::explain(outcome).c_str());
  return outcome.ok() ? 0 : 1;
}
