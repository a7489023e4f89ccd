#include "os/fp_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace convoy::os {

#if defined(__x86_64__)
// <cfenv> would set the older unit as well, which takes ten times as long and calculates nothing.
default_fp_environment::default_fp_environment() noexcept : before_(_mm_getcsr()) {
  constexpr unsigned by_default = 0x1F80;
  if (before_ != by_default) _mm_setcsr(by_default);
}
default_fp_environment::~default_fp_environment() { _mm_setcsr(before_); }

void restore_fp_environment(const ucontext_t& interrupted) noexcept {
  const auto* const both = interrupted.uc_mcontext.fpregs;
  if (both == nullptr) return;
  _mm_setcsr(both->mxcsr);
  asm volatile("fldcw %0" : : "m"(both->cwd));
}
#else
default_fp_environment::default_fp_environment() noexcept {
  std::fegetenv(&before_);
  std::fesetenv(FE_DFL_ENV);
}
default_fp_environment::~default_fp_environment() { std::fesetenv(&before_); }

// Here signals leave the arithmetic of a thread as it is.
void restore_fp_environment(const ucontext_t&) noexcept {}
#endif

}  // namespace convoy::os
