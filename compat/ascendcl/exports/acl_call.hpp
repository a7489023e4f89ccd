// Where calls come in: every exported function runs its body here.
//
// Nothing leaves but a number. A forked child, which has none of the engine's threads and perhaps
// somebody's locks, is turned away before it touches anything.
#pragma once

#include <new>

#include "state/call_status.hpp"
#include "state/fork_check.hpp"

namespace convoy::ascendcl {

// Keeps the sentence, and where that is due the code, for the thread to ask for.
aclError record_error(const char* function, call_status error) noexcept;
aclError record_forked(const char* function) noexcept;
aclError record_out_of_memory(const char* function) noexcept;

template <class Body>
aclError acl_call(const char* function, const Body& body) noexcept {
  if (forked()) return record_forked(function);
  try {
    const call_status status = body();
    return status.ok() ? ACL_SUCCESS : record_error(function, status);
  } catch (const std::bad_alloc&) {
    return record_out_of_memory(function);
  }
}

}  // namespace convoy::ascendcl
