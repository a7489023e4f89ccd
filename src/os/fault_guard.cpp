#include "os/fault_guard.hpp"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

#include "os/fp_environment.hpp"

namespace convoy::os {
namespace {

struct guard {
  sigjmp_buf landing;
  guard* outer;
  sigset_t mask;  // of the thread when the fault came
};

// initial-exec: the handler must not be the first to touch it, which could allocate.
thread_local guard* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

std::atomic<fault_callback> watcher_of_faults{nullptr};
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

// The range of hold_faults; nothing when the first is not below the last.
std::atomic<std::uintptr_t> held_first{0};
std::atomic<std::uintptr_t> held_last{0};
std::atomic<std::uint64_t> holds_ended{0};
thread_local std::uint64_t holds_seen __attribute__((tls_model("initial-exec"))) = 0;

bool is_held(std::uintptr_t address) {
  // Both stored by hold_faults.
  return address >= held_first.load(std::memory_order_acquire) &&
         address < held_last.load(std::memory_order_acquire);
}

// True when the fault may be due to a hold that is over now. A hold may have ended between the
// fault and this question, so each one gets every thread a second try; a bad address faults again.
bool worth_another_try(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const bool waits = is_held(at);
  while (is_held(at)) sched_yield();
  const std::uint64_t ended = holds_ended.load(std::memory_order_relaxed);
  const bool missed = std::exchange(holds_seen, ended) != ended;
  return waits || missed;
}

void on_fault(int number, siginfo_t* what, void* context) {
  if (worth_another_try(what->si_addr)) return;
  if (guard* const mine = innermost; mine != nullptr) {
    innermost = mine->outer;
    const auto& interrupted = *static_cast<ucontext_t*>(context);
    mine->mask = interrupted.uc_sigmask;
    restore_fp_environment(interrupted);
    siglongjmp(mine->landing, 1);
  }
  if (const fault_callback watch = watcher_of_faults.load(std::memory_order_acquire)) {
    watch(what->si_addr);
  }
  pass_on(number, what, context);
}

}  // namespace

void install_fault_handler(fault_callback watcher) noexcept {
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

hold_faults::hold_faults(const void* start, std::size_t bytes) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  held_first.store(first, std::memory_order_release);         // read by is_held
  held_last.store(first + bytes, std::memory_order_release);  // read by is_held
}

hold_faults::~hold_faults() {
  holds_ended.fetch_add(1, std::memory_order_relaxed);
  held_last.store(0, std::memory_order_release);  // read by is_held
}

void write_error(const char* text) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace convoy::os
