// The API function that the calling thread is in, for traces and other observers.
//
// A drop-in library names its exported function for the duration of a call, and so does a native
// function that is built on others; programs that use the native API need not care. The name is a
// string literal.
#pragma once

#include <convoy/export.hpp>
#include <convoy/status.hpp>

namespace convoy {

// Null outside of such a call. initial-exec: reached without a function call.
extern CONVOY_EXPORT thread_local constinit const char* api_function
    [[gnu::tls_model("initial-exec")]];

// True once observers know that the current call is refused.
extern CONVOY_EXPORT thread_local constinit bool refusal_reported
    [[gnu::tls_model("initial-exec")]];

// Sets api_function and restores it. The outermost function keeps its name: a function may be built
// on another.
class scoped_api_function {
 public:
  explicit scoped_api_function(const char* name) noexcept : before_(api_function) {
    if (before_ != nullptr) return;
    api_function = name;
    refusal_reported = false;
  }
  ~scoped_api_function() { api_function = before_; }
  scoped_api_function(const scoped_api_function&) = delete;
  scoped_api_function& operator=(const scoped_api_function&) = delete;

 private:
  const char* const before_;
};

// Reports a call that the drop-in library refuses itself to observers, under the name of
// api_function, else of `function`. Does nothing when the engine has reported the call, when
// `error` is no refusal, or before the first use of the engine.
CONVOY_EXPORT void report_refused_call(const char* function, const status& error) noexcept;

}  // namespace convoy
