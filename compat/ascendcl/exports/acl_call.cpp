#include "exports/acl_call.hpp"

#include <convoy/api_function.hpp>

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

// OK for the outcome of work: codes from 507000 on, timeouts and aborts.
status refusal_of(aclError code) noexcept {
  constexpr aclError first_failure = 507000;
  if (code >= first_failure) return {};
  switch (code) {
    case ACL_ERROR_WAIT_CALLBACK_TIMEOUT:
    case ACL_ERROR_RT_TASK_TIMEOUT:
    case ACL_ERROR_RT_DEVICE_TASK_ABORT:
    case ACL_ERROR_RT_STREAM_ABORT: return {};
    case ACL_ERROR_RT_FEATURE_NOT_SUPPORT: return {errc::not_supported};
    case ACL_ERROR_RT_MEMORY_ALLOCATION:
    case ACL_ERROR_BAD_ALLOC: return {errc::out_of_memory};
    case ACL_ERROR_RT_INVALID_DEVICEID: return {errc::invalid_device};
    default: return {errc::invalid_argument};
  }
}

}  // namespace

aclError record_error(const char* function, call_status error) noexcept {
  report_refused_call(function, refusal_of(error.code));
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
