// acl_call() runs the body of every exported function.
//
// It refuses a forked child before the body can touch a mutex, converts std::bad_alloc, and records
// the error text and the last error of the thread. No exception leaves the library.
#pragma once

#include <convoy/api_function.hpp>
#include <new>

#include "state/call_status.hpp"
#include "state/fork_check.hpp"

namespace convoy::ascendcl {

// Append the error text for aclGetRecentErrMsg() and, for recorded errors, set the last error.
aclError record_error(const char* function, call_status error) noexcept;
aclError record_forked(const char* function) noexcept;
aclError record_out_of_memory(const char* function) noexcept;

template <class Body>
aclError acl_call(const char* function, const Body& body) noexcept {
  if (forked()) return record_forked(function);
  const scoped_api_function named(function);
  try {
    const call_status status = body();
    return status.ok() ? ACL_SUCCESS : record_error(function, status);
  } catch (const std::bad_alloc&) {
    return record_out_of_memory(function);
  }
}

}  // namespace convoy::ascendcl
