// The status of an AscendCL call, and how the engine's status becomes an error code.
//
// AscendCL has two layers. Argument checks of the outer layer return 100000 and are not recorded.
// Errors of the runtime layer, with few exceptions, are recorded as the thread's last error as
// well. aclGetRecentErrMsg() returns the text of either.
#pragma once

#include <acl/acl.h>

#include <convoy/status.hpp>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace convoy::ascendcl {

// The text of a failure is stored in thread_state until the call returns, so that a call_status
// fits in a register.
struct [[nodiscard]] call_status {
  aclError code = ACL_SUCCESS;
  bool recorded = false;  // becomes the thread's last error

  [[nodiscard]] bool ok() const noexcept { return code == ACL_SUCCESS; }
};

// A value, or the status of the failed look-up.
template <class T>
struct [[nodiscard]] lookup {
  lookup() = default;
  lookup(T found) : value(std::move(found)) {}
  lookup(call_status failure) : error(failure) {}

  T value = {};
  call_status error = {};

  explicit operator bool() const noexcept { return error.ok(); }
  const T& operator*() const noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
};

// The functions below are cold: the code of a call that succeeds stays compact.

// ACL_ERROR_INVALID_PARAM (100000) of the outer layer; not recorded.
[[gnu::cold]] call_status invalid_param(std::string_view text);

// An argument that must be given: a pointer other than NULL, or a number other than 0.
struct required_argument {
  required_argument(const char* argument, const void* pointer)
      : name(argument), problem(pointer == nullptr ? " is NULL" : "") {}
  required_argument(const char* argument, std::uint64_t number)
      : name(argument), problem(number == 0 ? " is 0" : "") {}

  const char* name;
  std::string_view problem;  // empty when it is given
};

// 100000 for the first argument that is missing; one of them is.
[[gnu::cold]] call_status missing_argument(std::initializer_list<required_argument> all);

// An error of the runtime layer; recorded.
[[gnu::cold]] call_status failed(aclError code, std::string_view text);

// An error that is not recorded.
[[gnu::cold]] call_status failed_unrecorded(aclError code, std::string_view text);

// ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000) on every SoC; not recorded.
[[gnu::cold]] call_status unsupported(std::string_view text);

// For a call that the engine refused.
call_status call_status_of(const status& s);

// For a step that failed, reported to a caller that waited for it.
call_status call_status_of_step(const status& s);
aclError error_code_of_step(const status& s);

}  // namespace convoy::ascendcl
