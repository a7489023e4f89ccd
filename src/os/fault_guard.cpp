#include "os/fault_guard.hpp"

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace convoy::os {
namespace {

struct guard {
  sigjmp_buf landing;
  guard* outer;
  sigset_t mask;  // of the thread when the fault came
};

// initial-exec: the handler must not be the first to touch it, which could allocate.
thread_local guard* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

std::atomic<fault_watcher> watcher_of_faults{nullptr};
struct sigaction before_segv;
struct sigaction before_bus;

void pass_on(int number, siginfo_t* what, void* context) {
  const struct sigaction& before = number == SIGBUS ? before_bus : before_segv;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(number, what, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(number);
  } else {
    // Back to the default: the instruction faults again and the process ends as it would have.
    signal(number, SIG_DFL);
  }
}

void on_fault(int number, siginfo_t* what, void* context) {
  if (guard* const mine = innermost; mine != nullptr) {
    innermost = mine->outer;
    mine->mask = static_cast<ucontext_t*>(context)->uc_sigmask;
    siglongjmp(mine->landing, 1);
  }
  if (const fault_watcher watch = watcher_of_faults.load(std::memory_order_acquire)) {
    watch(what->si_addr);
  }
  pass_on(number, what, context);
}

}  // namespace

void install_fault_handler(fault_watcher watcher) noexcept {
  watcher_of_faults.store(watcher, std::memory_order_release);  // read by on_fault
  static const bool once = [] {
    struct sigaction mine {};
    mine.sa_sigaction = on_fault;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&mine.sa_mask);
    sigaction(SIGSEGV, &mine, &before_segv);
    sigaction(SIGBUS, &mine, &before_bus);
    return true;
  }();
  static_cast<void>(once);
}

bool run_guarded(void (*body)(void*), void* context) noexcept {
  guard mine;
  mine.outer = innermost;
  if (sigsetjmp(mine.landing, 0) != 0) {
    // The handler was left by a jump, so nobody else restores what it blocked. Saving the mask in
    // sigsetjmp instead would cost every copy a system call.
    pthread_sigmask(SIG_SETMASK, &mine.mask, nullptr);
    return false;
  }
  innermost = &mine;
  body(context);
  innermost = mine.outer;
  return true;
}

void write_error(const char* text) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace convoy::os
