// The state of a thread: its current context, its last error and the error texts.
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
  std::shared_ptr<context> current;  // null or, after a destroy in another thread, not alive

  // The stream of `current` that was looked up last. Repeated calls with its handle skip the
  // look-up; the engine refuses the stream if it was destroyed.
  bool has_cached_stream = false;
  aclrtStream cached_handle = nullptr;
  stream_ref cached_stream;

  aclError last_error = ACL_SUCCESS;
  std::string error_text;       // of the call in progress
  std::string unread_messages;  // since the last aclGetRecentErrMsg()
  std::string read_messages;    // the result of the last aclGetRecentErrMsg()

  std::uint32_t last_task = 0;
  aclrtStream core_limit_stream = nullptr;  // of aclrtUseStreamResInCurrentThread
  std::map<device_id, stream> sync_streams;
};

// Eight bytes fit in the reserve of static TLS that the loader keeps for libraries loaded by
// dlopen, so initial-exec access works and is fast.
extern constinit thread_local thread_state* current_thread_state [[gnu::tls_model("initial-exec")]];
thread_state* make_thread_state();

// Lives until the thread exits. The main thread's state is never destroyed: static destructors of
// the program may still call.
inline thread_state& this_thread() {
  if (current_thread_state == nullptr) current_thread_state = make_thread_state();
  return *current_thread_state;
}

}  // namespace convoy::ascendcl
