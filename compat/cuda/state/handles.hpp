// Conversions between CUDA's handles of streams and events and the engine's.
//
// A CUDA handle is the engine's handle, rotated left by one bit and cast to a pointer that is never
// dereferenced. The rotation keeps handles of other front ends and of the native API out: as CUDA
// handles they are unknown. It also makes every handle even, as a pointer is: programs use the
// lowest bit for their own purposes. Three values are default streams: 1 is the legacy default
// stream of the current device, 2 the per-thread default stream, and 0 one of the two. The `_ptsz`
// and `_ptds` functions turn 0 into 2 with per_thread(); everywhere else 0 means 1.
#pragma once

#include <bit>
#include <convoy/event.hpp>
#include <convoy/stream.hpp>
#include <cstdint>

#include "types/handles.h"

namespace convoy::cuda {

inline std::uint64_t number(const void* handle) noexcept {
  return reinterpret_cast<std::uint64_t>(handle);
}

// The engine's handle behind a CUDA handle that is no default stream.
inline std::uint64_t native_number(const void* handle) noexcept {
  return std::rotr(number(handle), 1);
}

inline bool is_legacy(cudaStream_t stream) noexcept { return number(stream) <= 1; }
inline bool is_per_thread(cudaStream_t stream) noexcept { return number(stream) == 2; }
inline bool is_default(cudaStream_t stream) noexcept { return number(stream) <= 2; }

// Maps stream 0 to the per-thread default stream.
inline cudaStream_t per_thread(cudaStream_t stream) noexcept {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

inline cudaStream_t handle_of(stream_ref stream) noexcept {
  return reinterpret_cast<cudaStream_t>(std::rotl(stream.handle(), 1));
}
inline cudaEvent_t handle_of(event_ref event) noexcept {
  return reinterpret_cast<cudaEvent_t>(std::rotl(event.handle(), 1));
}

// Returns the legacy or the per-thread default stream of a device.
result<stream_ref> default_stream(cudaStream_t stream, device_id device);

// Returns the engine's stream. A default stream is one of the current device, whose context this
// makes current; other handles are not checked here.
result<stream_ref> default_stream(cudaStream_t stream);
inline result<stream_ref> native(cudaStream_t stream) {
  if (is_default(stream)) return default_stream(stream);
  return stream_ref(native_number(stream));
}

inline event_ref native(cudaEvent_t event) noexcept { return event_ref(native_number(event)); }

}  // namespace convoy::cuda
