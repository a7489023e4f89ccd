// Bad addresses as outcomes instead of the end of the process.
//
// The SIGSEGV and SIGBUS handler recognises faults inside run_guarded() of its own thread, tells
// the watcher about other faults it may know about, and passes everything else on to the handler
// that was there before.
#pragma once

#include <cstddef>

namespace convoy::os {

// Called in signal context for a fault outside run_guarded(); may only write to standard error.
using fault_callback = void (*)(const void* address);

// Installs the handler, once; later calls only replace the watcher.
void install_fault_handler(fault_callback watcher) noexcept;

// Calls body(context). False when a fault cut it short: it was then left by a jump, so it must hold
// nothing that needs a destructor.
bool run_guarded(void (*body)(void*), void* context) noexcept;

template <class Body>
bool run_guarded(const Body& body) noexcept {
  return run_guarded([](void* context) { (*static_cast<const Body*>(context))(); },
                     const_cast<Body*>(&body));
}

// While it lives, a thread that faults in the range waits and then tries again. One at a time.
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
