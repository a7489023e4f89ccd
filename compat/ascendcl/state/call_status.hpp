// What a call of this door answers, and how it becomes an error code.
//
// AscendCL has two layers. Checks of the outer one answer 100000 and leave no trace; what the
// runtime refuses is kept as the thread's last error as well, with few exceptions. Either way the
// thread can ask for a sentence.
#pragma once

#include <acl/acl.h>

#include <convoy/status.hpp>
#include <string_view>
#include <utility>

namespace convoy::ascendcl {

// The sentence of a failure waits in its thread until the call is over, so that a call_status is
// no more than a number.
struct [[nodiscard]] call_status {
  aclError code = ACL_SUCCESS;
  bool recorded = false;  // as the thread's last error

  [[nodiscard]] bool ok() const noexcept { return code == ACL_SUCCESS; }
};

// A value, or why there is none.
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

// The functions below are cold, so that the way of a call that succeeds stays short.

// The outer layer refuses an argument: 100000.
[[gnu::cold]] call_status invalid_param(std::string_view text);

// The runtime answers this code.
[[gnu::cold]] call_status failed(aclError code, std::string_view text);

// The same without being kept.
[[gnu::cold]] call_status failed_unrecorded(aclError code, std::string_view text);

// 207000 for what the runtime cannot do in general, which is not kept.
[[gnu::cold]] call_status unsupported(std::string_view text);

// What the engine refused.
call_status call_status_of(const status& s);

// How a step ended, which someone who waited for it was told.
call_status call_status_of_step(const status& s);
aclError error_code_of_step(const status& s);

}  // namespace convoy::ascendcl
