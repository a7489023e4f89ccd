// Streams: what AscendCL knows about a stream beside what the engine knows.
//
// The handle of a stream is its number in the engine.
#pragma once

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
  std::shared_ptr<context> home;
  bool standing = false;  // the default stream of its context
  std::int32_t id = 0;
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;

  std::mutex mutex;  // guards the rest
  std::uint32_t overflow_switch = 0;
  std::uint32_t custom_tag = 0;
  std::uint32_t cache_switch = 0;
  callback_family family = callback_family::none;
  std::uint64_t report_thread = 0;    // 0: nobody
  std::uint64_t function_thread = 0;  // 0: a thread of Convoy's
};

registry<stream_record>& streams();

// 107017 unless it is a stream; NULL is the default stream of the current context.
found<std::shared_ptr<stream_record>> find_stream(aclrtStream handle);

// The same, and 107003 when it belongs to another context than the current one.
found<std::shared_ptr<stream_record>> find_own_stream(aclrtStream handle);

// What a call that was refused by the engine answers. The thread may have remembered a stream that
// is gone.
outcome refusal(aclrtStream handle, const status& why);

found<stream_ref> look_up_own_stream(aclrtStream handle);

// find_own_stream() for calls that come by the million.
inline found<stream_ref> own_stream(aclrtStream handle) {
  const thread_state& me = this_thread();
  if (me.knows_stream && me.known_handle == handle) return {me.known_stream};
  return look_up_own_stream(handle);
}

// The thread's own stream for calls that wait: nobody else's work holds it up.
found<stream_ref> side_stream(device_id on);

// What becomes of queued work when its stream or context goes.
enum class ending { after_work, at_once };

struct stream_wish {
  std::uint32_t flags = 0;
  std::uint32_t priority = 0;
  bool standing = false;
};
found<std::shared_ptr<stream_record>> make_stream_in(const std::shared_ptr<context>& home,
                                                     const stream_wish& wish);

// How many more streams programs can make on a device.
std::uint32_t streams_left_on(device_id device);

// Ends the handle, after the work or without it.
void close(stream_record& gone, ending how);

// Waits, and takes the error with it that the stream was left with.
outcome synchronize(const stream_record& which, std::int32_t milliseconds);

}  // namespace convoy::ascendcl
