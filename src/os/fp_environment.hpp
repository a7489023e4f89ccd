// The floating-point environment of a thread.
#pragma once

#include <ucontext.h>

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace convoy::os {

// RAII: default floating-point environment (round to nearest, no flush-to-zero, no traps); restores
// the previous one.
class default_fp_environment {
 public:
  default_fp_environment() noexcept;
  ~default_fp_environment();
  default_fp_environment(const default_fp_environment&) = delete;
  default_fp_environment& operator=(const default_fp_environment&) = delete;

 private:
#if defined(__x86_64__)
  const unsigned previous_;
#else
  std::fenv_t previous_;
#endif
};

// For a signal handler that leaves by siglongjmp: restores the floating-point environment of the
// interrupted code.
void restore_fp_environment(const ucontext_t& interrupted) noexcept;

}  // namespace convoy::os
