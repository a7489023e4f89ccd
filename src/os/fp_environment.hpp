// Floating-point arithmetic that does not depend on the thread it runs in.
#pragma once

#include <ucontext.h>

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace convoy::os {

// While it lives, its thread calculates as threads do unless they are told otherwise: it rounds to
// nearest, keeps tiny numbers and traps nothing.
class plain_arithmetic {
 public:
  plain_arithmetic() noexcept;
  ~plain_arithmetic();
  plain_arithmetic(const plain_arithmetic&) = delete;
  plain_arithmetic& operator=(const plain_arithmetic&) = delete;

 private:
#if defined(__x86_64__)
  const unsigned before_;
#else
  std::fenv_t before_;
#endif
};

// For a signal handler that is left by a jump: has the thread calculate again as it did when it was
// interrupted.
void resume_arithmetic(const ucontext_t& interrupted) noexcept;

}  // namespace convoy::os
