// Streams: what AscendCL knows about a stream beside what the engine knows.
//
// The handle of a stream is its number in the engine.
#pragma once

#include <chrono>
#include <convoy/stream.hpp>
#include <cstdint>
#include <memory>
#include <mutex>

#include "state/contexts.hpp"
#include "state/registry.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {

// Who runs the callbacks of a stream; the families do not mix.
enum class callback_family : std::uint8_t { none, reports, host_functions };

struct stream_record {
  stream_ref ref = {};
  std::shared_ptr<context> owner;
  bool is_default = false;  // the default stream of its context
  std::int32_t id = 0;
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;

  std::mutex mutex;  // guards the rest
  std::uint32_t overflow_switch = 0;
  std::uint32_t custom_tag = 0;
  std::uint32_t cache_switch = 0;
  callback_family callbacks = callback_family::none;
  std::uint64_t report_thread = 0;         // 0: nobody
  std::uint64_t host_function_thread = 0;  // 0: a thread of Convoy's
};

registry<stream_record>& streams();

// 107017 unless it is a stream; NULL is the default stream of the current context.
lookup<std::shared_ptr<stream_record>> find_stream(aclrtStream handle);

// The same, and 107003 when it belongs to another context than the current one.
lookup<std::shared_ptr<stream_record>> find_stream_in_context(aclrtStream handle);

// What a call that was refused by the engine answers. The thread may have remembered a stream that
// is gone.
call_status stream_error(aclrtStream handle, const status& error);

lookup<stream_ref> look_up_stream_in_context(aclrtStream handle);

// find_stream_in_context() for calls that come by the million.
inline lookup<stream_ref> stream_in_context(aclrtStream handle) {
  const thread_state& thread = this_thread();
  if (thread.has_cached_stream && thread.cached_handle == handle) return {thread.cached_stream};
  return look_up_stream_in_context(handle);
}

// The thread's own stream for calls that wait: nobody else's work holds it up.
lookup<stream_ref> sync_stream(device_id device);

// What becomes of queued work when its stream or context goes.
enum class close_mode { after_work, abort_work };

struct stream_settings {
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;
  bool is_default = false;
};
lookup<std::shared_ptr<stream_record>> add_stream(const std::shared_ptr<context>& owner,
                                                  const stream_settings& settings);

// How many more streams programs can make on a device.
std::uint32_t available_streams(device_id device);

// Ends the handle, after the work or without it.
void close(stream_record& stream, close_mode mode);

// 107000 for a timeout below -1, which stands for no limit.
call_status check_timeout(std::int32_t milliseconds);

// Waits for a stream, an event or a device.
template <class Awaited>
status synchronize_for(const Awaited& awaited, std::int32_t milliseconds) {
  return milliseconds < 0 ? awaited.synchronize()
                          : awaited.synchronize(std::chrono::milliseconds(milliseconds));
}

// Waits, and takes the error with it that the stream was left with.
call_status synchronize(const stream_record& stream, std::int32_t milliseconds);

}  // namespace convoy::ascendcl
