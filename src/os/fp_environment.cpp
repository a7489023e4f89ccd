#include "os/fp_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace convoy::os {

#if defined(__x86_64__)
// <cfenv> would set the older unit as well, which takes ten times as long and calculates nothing.
plain_arithmetic::plain_arithmetic() noexcept : before_(_mm_getcsr()) {
  constexpr unsigned by_default = 0x1F80;
  if (before_ != by_default) _mm_setcsr(by_default);
}
plain_arithmetic::~plain_arithmetic() { _mm_setcsr(before_); }

void resume_arithmetic(const ucontext_t& interrupted) noexcept {
  const auto* const both = interrupted.uc_mcontext.fpregs;
  if (both == nullptr) return;
  _mm_setcsr(both->mxcsr);
  asm volatile("fldcw %0" : : "m"(both->cwd));
}
#else
plain_arithmetic::plain_arithmetic() noexcept {
  std::fegetenv(&before_);
  std::fesetenv(FE_DFL_ENV);
}
plain_arithmetic::~plain_arithmetic() { std::fesetenv(&before_); }

// Here signals leave the arithmetic of a thread as it is.
void resume_arithmetic(const ucontext_t&) noexcept {}
#endif

}  // namespace convoy::os
