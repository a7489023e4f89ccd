// Streams and events as callers name them, and as Convoy does.
//
// A handle of a program is Convoy's handle in the shape of a pointer; nobody follows it. Three
// numbers stand for streams that are always there: 1 is the legacy default stream of the current
// device, 2 the thread's own, and 0 one of the two. Which one depends on the entry point, so
// `_ptsz` and `_ptds` borders turn 0 into 2 with per_thread(), and everywhere below 0 means 1.
#pragma once

#include <convoy/event.hpp>
#include <convoy/stream.hpp>
#include <cstdint>

#include "types/handles.h"

namespace convoy::cuda {

inline std::uint64_t number(const void* handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle);
}

inline bool is_legacy(cudaStream_t stream) noexcept { return number(stream) <= 1; }
inline bool is_per_thread(cudaStream_t stream) noexcept { return number(stream) == 2; }
inline bool is_default(cudaStream_t stream) noexcept { return number(stream) <= 2; }

// What a stream means where 0 is the thread's own.
inline cudaStream_t per_thread(cudaStream_t stream) noexcept {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

inline cudaStream_t handle_of(stream_ref stream) noexcept {
  return reinterpret_cast<cudaStream_t>(stream.handle());
}
inline cudaEvent_t handle_of(event_ref event) noexcept {
  return reinterpret_cast<cudaEvent_t>(event.handle());
}

// Which default stream of a device is meant.
result<stream_ref> default_stream(cudaStream_t stream, device_id device);

// The stream of Convoy's that a call of the runtime means. Default streams are those of the current
// device, whose context this makes current; all others pass through unlooked at.
result<stream_ref> default_stream(cudaStream_t stream);
inline result<stream_ref> native(cudaStream_t stream) {
  if (is_default(stream)) return default_stream(stream);
  return stream_ref(number(stream));
}

inline event_ref native(cudaEvent_t event) noexcept { return event_ref(number(event)); }

}  // namespace convoy::cuda
