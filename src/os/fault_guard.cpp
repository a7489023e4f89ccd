#include "os/fault_guard.hpp"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "os/fp_environment.hpp"

namespace convoy::os {
namespace {

struct guard {
  sigjmp_buf landing;
  guard* outer;
  sigset_t mask;  // the signal mask of the thread at the time of the fault
  const void* address;
};

// initial-exec, because lazily allocated thread-local storage could call malloc in the handler.
thread_local guard* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

std::atomic<fault_callback> unguarded_callback{nullptr};

// The handlers that Convoy replaced for one signal. Each time a handler of the program is found in
// place of Convoy's, another entry function is installed, with that handler as its predecessor. If
// the program restores the entry function that it replaced, that one still has its own predecessor,
// so the handlers form no cycle.
constexpr std::size_t max_replaced = 8;
struct handler_chain {
  const int signal_number;
  std::array<struct sigaction, max_replaced> replaced = {};
  std::size_t used = 0;  // entries of `replaced`; guarded by chains_mutex
};
handler_chain segv_chain{SIGSEGV};
handler_chain bus_chain{SIGBUS};
std::mutex chains_mutex;
std::atomic<bool> installed{false};

// A signal that a thread or a process sent, not an access that failed.
bool was_sent(const siginfo_t& info) { return info.si_code <= 0; }

void call_handler(const struct sigaction& handler, int signal_number, siginfo_t* info,
                  void* context) {
  if ((handler.sa_flags & SA_SIGINFO) != 0 && handler.sa_sigaction != nullptr) {
    handler.sa_sigaction(signal_number, info, context);
  } else if (handler.sa_handler != SIG_DFL && handler.sa_handler != SIG_IGN) {
    handler.sa_handler(signal_number);
  } else if (!was_sent(*info)) {
    // With the default action restored, the instruction faults again and ends the process.
    signal(signal_number, SIG_DFL);
  } else if (handler.sa_handler == SIG_DFL) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);  // pending until the handler returns
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

// A signal that the program blocks and unblocked_faults has unblocked, and its sender if it was
// sent meanwhile. It is sent again when the program's mask is restored. Static thread-local storage
// is scarce in programs that load the library late, so this is not a whole siginfo_t.
struct unblocked_signal {
  bool unblocked = false;
  bool arrived = false;
  int code = 0;
  pid_t sender = 0;
  uid_t user = 0;
  sigval value = {};
};
struct unblocked_signals {
  unblocked_signal segv;
  unblocked_signal bus;
  [[nodiscard]] unblocked_signal& operator[](int signal_number) {
    return signal_number == SIGBUS ? bus : segv;
  }
};
thread_local unblocked_signals program_blocks __attribute__((tls_model("initial-exec")));

// True for a thread that blocks neither signal: one of the engine, or one in unblocked_faults.
thread_local bool receives_faults __attribute__((tls_model("initial-exec"))) = false;
thread_local bool in_guarded_step __attribute__((tls_model("initial-exec"))) = false;

void on_sent(handler_chain& chain, std::size_t entry, siginfo_t* info, void* context) {
  unblocked_signal& own = program_blocks[chain.signal_number];
  if (own.unblocked) {
    own = {true, true, info->si_code, info->si_pid, info->si_uid, info->si_value};
    return;
  }
  call_handler(chain.replaced[entry], chain.signal_number, info, context);
}

void on_signal(handler_chain& chain, std::size_t entry, siginfo_t* info, void* context) {
  if (was_sent(*info)) return on_sent(chain, entry, info, context);
  if (should_retry(info->si_addr)) return;
  if (guard* const active = innermost; active != nullptr) {
    innermost = active->outer;
    const auto& interrupted = *static_cast<ucontext_t*>(context);
    active->mask = interrupted.uc_sigmask;
    active->address = info->si_addr;
    restore_fp_environment(interrupted);
    siglongjmp(active->landing, 1);
  }
  if (const fault_callback callback = unguarded_callback.load(std::memory_order_acquire)) {
    callback(info->si_addr);
  }
  call_handler(chain.replaced[entry], chain.signal_number, info, context);
}

using signal_entry = void (*)(int, siginfo_t*, void*);

template <std::size_t Entry>
void enter(int signal_number, siginfo_t* info, void* context) {
  on_signal(signal_number == SIGBUS ? bus_chain : segv_chain, Entry, info, context);
}

constexpr auto entries = []<std::size_t... Entry>(std::index_sequence<Entry...>) {
  return std::array<signal_entry, max_replaced>{enter<Entry>...};
}
(std::make_index_sequence<max_replaced>{});

bool is_ours(const struct sigaction& handler) {
  return (handler.sa_flags & SA_SIGINFO) != 0 &&
         std::find(entries.begin(), entries.end(), handler.sa_sigaction) != entries.end();
}

// The entry whose predecessor is this handler: a known one, a new one, or the last one again.
std::size_t entry_for(handler_chain& chain, const struct sigaction& handler) {
  for (std::size_t entry = 0; entry != chain.used; ++entry) {
    const struct sigaction& known = chain.replaced[entry];
    if (known.sa_sigaction == handler.sa_sigaction && known.sa_flags == handler.sa_flags)
      return entry;
  }
  return chain.used == max_replaced ? max_replaced - 1 : chain.used++;
}

// Requires chains_mutex.
void install_over(handler_chain& chain, const struct sigaction& current) {
  const std::size_t entry = entry_for(chain, current);
  chain.replaced[entry] = current;
  struct sigaction handler {};
  handler.sa_sigaction = entries[entry];
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&handler.sa_mask);
  sigaction(chain.signal_number, &handler, nullptr);
}

void install(handler_chain& chain) {
  struct sigaction current {};
  sigaction(chain.signal_number, nullptr, &current);
  if (is_ours(current)) return;
  const std::lock_guard held(chains_mutex);
  sigaction(chain.signal_number, nullptr, &current);  // another thread may have been faster
  if (!is_ours(current)) install_over(chain, current);
}

sigset_t fault_signals() {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGSEGV);
  sigaddset(&both, SIGBUS);
  return both;
}

// What the kernel saves, more than MINSIGSTKSZ on CPUs with large registers, and what the handler
// uses, including the resolution of a symbol that it is the first to call.
std::size_t needed_stack() noexcept {
  constexpr std::size_t for_handler = 4096;
  constexpr std::size_t smallest = 2048;
  return std::max(smallest, static_cast<std::size_t>(::getauxval(AT_MINSIGSTKSZ))) + for_handler;
}

// To the process or to this thread, as it came.
void send_again(int signal_number, const unblocked_signal& sent) {
  siginfo_t info = {};
  info.si_signo = signal_number;
  info.si_code = sent.code;
  info.si_pid = sent.sender;
  info.si_uid = sent.user;
  info.si_value = sent.value;
  if (info.si_code == SI_TKILL) {
    syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal_number, &info);
  } else {
    syscall(SYS_rt_sigqueueinfo, getpid(), signal_number, &info);
  }
}

}  // namespace

void install_fault_handler(fault_callback on_unguarded) noexcept {
  unguarded_callback.store(on_unguarded, std::memory_order_release);  // read by on_fault
  installed.store(true, std::memory_order_release);                   // read by guarded_step
  install(segv_chain);
  install(bus_chain);
}

void receive_faults() noexcept {
  const sigset_t both = fault_signals();
  pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
  receives_faults = true;
}

void unblocked_faults::unblock() noexcept {
  if (receives_faults) return;
  const sigset_t both = fault_signals();
  sigset_t before;
  program_blocks = {};
  receives_faults = began_ = true;
  // A pending signal arrives during the call, so both count as blocked until the mask is known.
  program_blocks.segv.unblocked = program_blocks.bus.unblocked = true;
  pthread_sigmask(SIG_UNBLOCK, &both, &before);
  for (const int each : {SIGSEGV, SIGBUS})
    program_blocks[each].unblocked = sigismember(&before, each) == 1;
}

void unblocked_faults::restore() noexcept {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int each : {SIGSEGV, SIGBUS}) {
    if (program_blocks[each].unblocked) sigaddset(&blocked, each);
  }
  if (sigisemptyset(&blocked) == 0) pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  receives_faults = false;
  for (const int each : {SIGSEGV, SIGBUS}) {
    unblocked_signal& own = program_blocks[each];
    own.unblocked = false;
    if (std::exchange(own.arrived, false)) send_again(each, own);
  }
}

// MINSIGSTKSZ, 2048 bytes, is less than the kernel saves on a CPU with AVX-512: it then ends the
// process instead of calling the handler.
void guarded_step::disable_small_stack() noexcept {
  stack_t current = {};
  if (::sigaltstack(nullptr, &current) != 0) return;
  const bool usable = (current.ss_flags & (SS_DISABLE | SS_ONSTACK)) == 0;
  if (!usable || current.ss_size >= needed_stack()) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  if (::sigaltstack(&none, nullptr) != 0) return;
  small_stack_ = {current.ss_sp, current.ss_size, current.ss_flags};
}

bool guarded_step::begin() noexcept {
  outer_ = std::exchange(in_guarded_step, true);
  small_stack_.start = nullptr;
  if (!receives_faults) disable_small_stack();
  if (installed.load(std::memory_order_acquire)) {  // stored by install_fault_handler()
    install(segv_chain);
    install(bus_chain);
  }
  return true;
}

void guarded_step::end() noexcept {
  in_guarded_step = outer_;
  if (small_stack_.start == nullptr) return;
  stack_t before = {};
  before.ss_sp = small_stack_.start;
  before.ss_size = small_stack_.bytes;
  before.ss_flags = small_stack_.flags;
  ::sigaltstack(&before, nullptr);
}

bool guarded_step::active() noexcept { return in_guarded_step; }

bool run_guarded(void (*body)(void*), void* context, const void** address) noexcept {
  guard active;
  active.outer = innermost;
  if (sigsetjmp(active.landing, 0) != 0) {
    // siglongjmp left the handler, so the signals it blocked are unblocked here. Having sigsetjmp
    // save the mask instead would cost every copy a system call.
    pthread_sigmask(SIG_SETMASK, &active.mask, nullptr);
    if (address != nullptr) *address = active.address;
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
