#include "os/fp_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace convoy::os {

#if defined(__x86_64__)
// Sets MXCSR only: <cfenv> also sets the x87 control word, which is unused and ten times slower.
default_fp_environment::default_fp_environment() noexcept : previous_(_mm_getcsr()) {
  constexpr unsigned default_mxcsr = 0x1F80;
  if (previous_ != default_mxcsr) _mm_setcsr(default_mxcsr);
}
default_fp_environment::~default_fp_environment() { _mm_setcsr(previous_); }

void restore_fp_environment(const ucontext_t& interrupted) noexcept {
  const auto* const registers = interrupted.uc_mcontext.fpregs;
  if (registers == nullptr) return;
  _mm_setcsr(registers->mxcsr);
  asm volatile("fldcw %0" : : "m"(registers->cwd));
}
#else
default_fp_environment::default_fp_environment() noexcept {
  std::fegetenv(&previous_);
  std::fesetenv(FE_DFL_ENV);
}
default_fp_environment::~default_fp_environment() { std::fesetenv(&previous_); }

// The kernel does not change the floating-point environment for signal handlers here.
void restore_fp_environment(const ucontext_t&) noexcept {}
#endif

}  // namespace convoy::os
