#include "exports/acl_call.hpp"

#include "state/thread.hpp"

namespace convoy::ascendcl {

namespace {

// Limits the texts of a thread that never calls aclGetRecentErrMsg().
constexpr std::size_t max_message_bytes = 16384;

void append_message(thread_state& thread, const char* function, const std::string& text) {
  if (thread.unread_messages.size() + text.size() > max_message_bytes)
    thread.unread_messages.clear();
  if (!thread.unread_messages.empty()) thread.unread_messages += '\n';
  thread.unread_messages += function;
  thread.unread_messages += ": ";
  thread.unread_messages += text;
}

}  // namespace

aclError record_error(const char* function, call_status error) noexcept {
  try {
    thread_state& thread = this_thread();
    if (error.recorded) thread.last_error = error.code;
    append_message(thread, function, std::exchange(thread.error_text, {}));
  } catch (const std::bad_alloc&) {
    // The error code is returned without text.
  }
  return error.code;
}

aclError record_forked(const char* function) noexcept {
  try {
    return record_error(function, call_status_of(status{errc::forked}));
  } catch (const std::bad_alloc&) {
    return ACL_ERROR_RT_INTERNAL_ERROR;
  }
}

aclError record_out_of_memory(const char* function) noexcept {
  return record_error(function, {ACL_ERROR_BAD_ALLOC, true});
}

}  // namespace convoy::ascendcl

// Called by the generated functions, also of other libraries, for the names that the lists in this
// folder mark as unsupported.
extern "C" [[gnu::visibility("default")]] int convoy_ascendcl_unsupported(const char* symbol);
extern "C" int convoy_ascendcl_unsupported(const char* symbol) {
  using namespace convoy::ascendcl;
  return acl_call(symbol, [&] { return unsupported("Convoy does not implement this function"); });
}
