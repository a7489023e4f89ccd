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

// The sentence of a failure waits in its thread until the call is over, so that an outcome is no
// more than a number.
struct [[nodiscard]] outcome {
  aclError code = ACL_SUCCESS;
  bool kept = false;  // as the thread's last error

  [[nodiscard]] bool ok() const noexcept { return code == ACL_SUCCESS; }
};

// A value, or why there is none.
template <class T>
struct [[nodiscard]] found {
  T value = {};
  outcome why = {};

  explicit operator bool() const noexcept { return why.ok(); }
  const T& operator*() const noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
};

template <class T>
found<T> none(outcome why) {
  return {{}, why};
}

// The functions below are cold, so that the way of a call that succeeds stays short.

// The outer layer refuses an argument: 100000.
[[gnu::cold]] outcome refused(std::string_view text);

// The runtime answers this code.
[[gnu::cold]] outcome failed(aclError code, std::string_view text);

// The same without being kept.
[[gnu::cold]] outcome failed_lightly(aclError code, std::string_view text);

// 207000 for what the runtime cannot do in general, which is not kept.
[[gnu::cold]] outcome unsupported(std::string_view text);

// What the engine refused.
outcome outcome_of(const status& s);

// How a step ended, which someone who waited for it was told.
outcome outcome_of_step(const status& s);
aclError code_of_step(const status& s);

}  // namespace convoy::ascendcl
