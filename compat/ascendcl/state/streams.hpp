// Streams: the attributes that AscendCL adds to a stream of the engine.
//
// The handle of a stream is its handle in the engine.
#pragma once

#include <atomic>
#include <chrono>
#include <convoy/stream.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "state/contexts.hpp"
#include "state/registry.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {

// The two kinds of callbacks.
enum class callback_family : std::uint8_t { reports, host_functions };

struct stream_record {
  stream_ref ref = {};
  std::shared_ptr<context> owner;
  bool is_default = false;  // the default stream of its context
  std::int32_t id = 0;
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;
  std::atomic<bool> abort_unanswered = false;  // no synchronize has answered the last abort

  std::mutex mutex;  // guards the rest
  std::uint32_t overflow_switch = 0;
  std::uint32_t custom_tag = 0;
  std::uint32_t cache_switch = 0;
  std::uint64_t report_thread = 0;         // 0: no subscriber
  std::uint64_t host_function_thread = 0;  // 0: runs on a thread of the engine
  bool ran_unsubscribed = false;           // a host function was launched without a subscriber
};

registry<stream_record>& streams();
std::vector<std::shared_ptr<stream_record>> streams_of(const context& owner);
std::vector<std::shared_ptr<stream_record>> streams_of(device_id device);

// 107017 unless the handle is a stream; NULL is the default stream of the current context.
lookup<std::shared_ptr<stream_record>> find_stream(aclrtStream handle);

// The same, and 107003 when the stream belongs to another context than the current one.
lookup<std::shared_ptr<stream_record>> find_stream_in_context(aclrtStream handle);

// The status of a call whose step the engine refused. If the cached stream was destroyed, this
// drops the cache entry and returns the error of a new look-up.
call_status stream_error(aclrtStream handle, const status& error);

lookup<stream_ref> look_up_stream_in_context(aclrtStream handle);

// find_stream_in_context() with a cache of one stream per thread, for frequent calls.
inline lookup<stream_ref> stream_in_context(aclrtStream handle) {
  const thread_state& thread = this_thread();
  if (thread.has_cached_stream && thread.cached_handle == handle) return {thread.cached_stream};
  return look_up_stream_in_context(handle);
}

// The thread's internal stream for synchronous calls, which then wait for no other work.
lookup<stream_ref> sync_stream(device_id device);

// What happens to queued work when its stream or context is destroyed.
enum class close_mode { after_work, abort_work };

struct stream_settings {
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;
  bool is_default = false;
};
lookup<std::shared_ptr<stream_record>> add_stream(const std::shared_ptr<context>& owner,
                                                  const stream_settings& settings);

// The number of streams that can still be created on a device.
std::uint32_t available_streams(device_id device);

// Destroys the stream and its handle.
void close(stream_record& stream, close_mode mode);

// 107000 for a timeout below -1, which stands for no limit.
call_status check_timeout(std::int32_t milliseconds);

// Waits for a stream, an event or a device.
template <class Awaited>
status synchronize_for(const Awaited& awaited, std::int32_t milliseconds) {
  return milliseconds < 0 ? awaited.synchronize()
                          : awaited.synchronize(std::chrono::milliseconds(milliseconds));
}

// Waits for the stream, returns its error and clears it. After an abort that dropped work the first
// caller gets 107023, and an error of the stream is left to the next.
call_status synchronize(stream_record& stream, std::int32_t milliseconds);

}  // namespace convoy::ascendcl
