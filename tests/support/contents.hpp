// Memory with known contents, and the contents of memory.
#pragma once

#include <convoy/buffer.hpp>
#include <convoy/stream.hpp>
#include <cstddef>

#include "support/bytes.hpp"
#include "support/outcome.hpp"

namespace convoy::test {

inline constexpr device_id first_device{0};
inline constexpr device_id second_device{1};

inline stream new_stream(device_id device = first_device, stream_options options = {}) {
  return must(make_stream(device, options));
}

// A stream that no test holds: it reads and writes memory without waiting for other streams.
inline stream_ref side_stream() {
  static const stream_ref made = new_stream(first_device, {.blocking = false}).release();
  return made;
}

inline bytes contents_of(const void* start, std::size_t count) {
  bytes found(count);
  EXPECT_OK(copy_sync(side_stream(), {found.data(), start, count}));
  return found;
}
inline bytes contents_of(const buffer& from) { return contents_of(from.data(), from.size()); }

inline void put(void* start, const bytes& contents) {
  EXPECT_OK(copy_sync(side_stream(), {start, contents.data(), contents.size()}));
}

inline buffer device_holding(const bytes& contents, device_id device = first_device) {
  buffer made = must(make_device_buffer(device, contents.size()));
  put(made.data(), contents);
  return made;
}

inline buffer pinned_holding(const bytes& contents) {
  buffer made = must(make_pinned_buffer(contents.size()));
  put(made.data(), contents);
  return made;
}

}  // namespace convoy::test
