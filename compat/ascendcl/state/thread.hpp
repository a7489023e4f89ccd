// What AscendCL keeps for each thread: its context, its last error, what went wrong.
#pragma once

#include <acl/acl.h>

#include <convoy/stream.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace convoy::ascendcl {

struct context;

struct thread_state {
  std::shared_ptr<context> current;  // null, or possibly destroyed by now

  // The handle that was found last to be a stream of `current`, so that a thread that keeps using
  // one stream looks nothing up. The engine knows when the stream is gone.
  bool has_cached_stream = false;
  aclrtStream cached_handle = nullptr;
  stream_ref cached_stream;

  aclError last_error = ACL_SUCCESS;
  std::string error_text;       // of the failure that the call under way is about to answer
  std::string unread_messages;  // sentences since the thread last asked
  std::string read_messages;    // what it was told then

  std::uint32_t last_task = 0;
  aclrtStream core_limit_stream =
      nullptr;  // whose limits on cores hold for what the thread launches
  std::map<device_id, stream> sync_streams;
};

// Eight bytes, which even a library that is loaded late may have within immediate reach.
extern constinit thread_local thread_state* current_thread_state [[gnu::tls_model("initial-exec")]];
thread_state* make_thread_state();

// Lives as long as the thread, and for the main thread to the end of the process: programs still
// call from static destructors.
inline thread_state& this_thread() {
  if (current_thread_state == nullptr) current_thread_state = make_thread_state();
  return *current_thread_state;
}

}  // namespace convoy::ascendcl
