// Turns SIGSEGV and SIGBUS in guarded code into a return value.
//
// A fault inside run_guarded() of the faulting thread makes run_guarded() return false. Any other
// fault is passed to the callback and then to the handler of the program. A signal that was sent by
// a thread or a process goes to that handler alone.
#pragma once

#include <cstddef>

namespace convoy::os {

// Called in signal context for a fault outside run_guarded(); may only write to standard error.
using fault_callback = void (*)(const void* address);

// Installs the handler unless it is installed, and replaces the callback.
void install_fault_handler(fault_callback on_unguarded) noexcept;

// Calls body(context). False when a fault ended it: siglongjmp then left the body, so it must own
// nothing that needs a destructor. `*address` is then the address that was accessed, or null when
// the CPU does not tell, as for addresses outside of the address space.
bool run_guarded(void (*body)(void*), void* context, const void** address = nullptr) noexcept;

template <class Body>
bool run_guarded(const Body& body, const void** address = nullptr) noexcept {
  return run_guarded([](void* context) { (*static_cast<const Body*>(context))(); },
                     const_cast<Body*>(&body), address);
}

// For a thread of the engine, which runs no code of the program that could block the signals: makes
// it receive faults.
void receive_faults() noexcept;

// RAII: the thread receives faults even if the program has blocked the signals in it, because the
// kernel ends a process that faults with the signal blocked. A signal that is sent meanwhile waits
// until the mask is restored, as it would have. Costs a system call, and one more if a signal was
// blocked; nothing in a thread that receives faults.
class unblocked_faults {
 public:
  explicit unblocked_faults(bool wanted) noexcept {
    if (wanted) unblock();
  }
  ~unblocked_faults() {
    if (began_) restore();
  }
  unblocked_faults(const unblocked_faults&) = delete;
  unblocked_faults& operator=(const unblocked_faults&) = delete;

 private:
  void unblock() noexcept;
  void restore() noexcept;
  bool began_ = false;
};

// RAII around a step that accesses memory of the program, which may be unmapped: the thread
// receives faults, Convoy's handler is installed again if the program has replaced it, and an
// alternate signal stack that is too small for it is not used meanwhile. Costs two system calls
// beside those of unblocked_faults, and one more in a thread of the program; nothing unless
// `may_fault`. A handler that another thread installs during the step gets the faults of the step:
// the process has one handler for all threads.
class guarded_step {
 public:
  explicit guarded_step(bool may_fault) noexcept
      : may_fault_(may_fault), unblocked_(may_fault && begin()) {}
  ~guarded_step() {
    if (may_fault_) end();
  }
  guarded_step(const guarded_step&) = delete;
  guarded_step& operator=(const guarded_step&) = delete;

  // True when the calling thread is in such a step.
  [[nodiscard]] static bool active() noexcept;

 private:
  // The handler comes first: a pending signal arrives as soon as it is unblocked.
  bool begin() noexcept;
  void end() noexcept;
  void disable_small_stack() noexcept;
  const bool may_fault_;
  bool outer_ = false;
  // The alternate signal stack that begin() has disabled; null when there is none. Set by begin().
  struct signal_stack {
    void* start;
    std::size_t bytes;
    int flags;
  } small_stack_;
  unblocked_faults unblocked_;
};

// RAII: a thread that faults in the range waits until destruction and then retries the instruction.
// At most one object exists at a time.
class hold_faults {
 public:
  hold_faults(const void* start, std::size_t bytes) noexcept;
  ~hold_faults();
  hold_faults(const hold_faults&) = delete;
  hold_faults& operator=(const hold_faults&) = delete;
};

// Writes text to standard error; safe in signal context.
void write_error(const char* text) noexcept;

}  // namespace convoy::os
