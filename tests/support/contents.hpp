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

// A stream that no test holds up, so that looking at memory disturbs nothing.
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

inline void put(void* start, const bytes& what) {
  EXPECT_OK(copy_sync(side_stream(), {start, what.data(), what.size()}));
}

inline buffer device_holding(const bytes& what, device_id device = first_device) {
  buffer made = must(make_device_buffer(device, what.size()));
  put(made.data(), what);
  return made;
}

inline buffer pinned_holding(const bytes& what) {
  buffer made = must(make_pinned_buffer(what.size()));
  put(made.data(), what);
  return made;
}

}  // namespace convoy::test
