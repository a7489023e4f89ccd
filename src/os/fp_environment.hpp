// Floating-point arithmetic that does not depend on the thread it runs in.
#pragma once

#include <ucontext.h>

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace convoy::os {

// While it lives, its thread calculates as threads do unless they are told otherwise: it rounds to
// nearest, keeps tiny numbers and traps nothing.
class default_fp_environment {
 public:
  default_fp_environment() noexcept;
  ~default_fp_environment();
  default_fp_environment(const default_fp_environment&) = delete;
  default_fp_environment& operator=(const default_fp_environment&) = delete;

 private:
#if defined(__x86_64__)
  const unsigned before_;
#else
  std::fenv_t before_;
#endif
};

// For a signal handler that is left by a jump: has the thread calculate again as it did when it was
// interrupted.
void restore_fp_environment(const ucontext_t& interrupted) noexcept;

}  // namespace convoy::os
