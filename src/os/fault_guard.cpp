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
  sigset_t mask;  // the signal mask of the thread at the time of the fault
};

// initial-exec, because lazily allocated thread-local storage could call malloc in the handler.
thread_local guard* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

std::atomic<fault_callback> unguarded_callback{nullptr};
struct sigaction previous_segv;
struct sigaction previous_bus;

void call_previous_handler(int signal_number, siginfo_t* fault, void* context) {
  const struct sigaction& previous = signal_number == SIGBUS ? previous_bus : previous_segv;
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal_number, fault, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal_number);
  } else {
    // With the default action restored, the instruction faults again and ends the process.
    signal(signal_number, SIG_DFL);
  }
}

// The range of the current hold_faults; empty when first >= last.
std::atomic<std::uintptr_t> held_first{0};
std::atomic<std::uintptr_t> held_last{0};
std::atomic<std::uint64_t> holds_ended{0};
thread_local std::uint64_t holds_seen __attribute__((tls_model("initial-exec"))) = 0;

bool is_held(std::uintptr_t address) {
  // Both are stored by hold_faults.
  return address >= held_first.load(std::memory_order_acquire) &&
         address < held_last.load(std::memory_order_acquire);
}

// True when the fault may be due to a hold that has ended. A hold may end between the fault and
// this check, so a thread retries once for each ended hold; a bad address simply faults again.
bool should_retry(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const bool waits = is_held(at);
  while (is_held(at)) sched_yield();
  const std::uint64_t ended = holds_ended.load(std::memory_order_relaxed);
  const bool missed = std::exchange(holds_seen, ended) != ended;
  return waits || missed;
}

void on_fault(int signal_number, siginfo_t* fault, void* context) {
  if (should_retry(fault->si_addr)) return;
  if (guard* const active = innermost; active != nullptr) {
    innermost = active->outer;
    const auto& interrupted = *static_cast<ucontext_t*>(context);
    active->mask = interrupted.uc_sigmask;
    restore_fp_environment(interrupted);
    siglongjmp(active->landing, 1);
  }
  if (const fault_callback callback = unguarded_callback.load(std::memory_order_acquire)) {
    callback(fault->si_addr);
  }
  call_previous_handler(signal_number, fault, context);
}

}  // namespace

void install_fault_handler(fault_callback on_unguarded) noexcept {
  unguarded_callback.store(on_unguarded, std::memory_order_release);  // read by on_fault
  static const bool once = [] {
    struct sigaction handler {};
    handler.sa_sigaction = on_fault;
    handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&handler.sa_mask);
    sigaction(SIGSEGV, &handler, &previous_segv);
    sigaction(SIGBUS, &handler, &previous_bus);
    return true;
  }();
  static_cast<void>(once);
}

bool run_guarded(void (*body)(void*), void* context) noexcept {
  guard active;
  active.outer = innermost;
  if (sigsetjmp(active.landing, 0) != 0) {
    // siglongjmp left the handler, so the signals it blocked are unblocked here. Having sigsetjmp
    // save the mask instead would cost every copy a system call.
    pthread_sigmask(SIG_SETMASK, &active.mask, nullptr);
    return false;
  }
  innermost = &active;
  body(context);
  innermost = active.outer;
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
