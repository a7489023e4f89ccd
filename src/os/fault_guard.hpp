// Turns SIGSEGV and SIGBUS in guarded code into a return value.
//
// A fault inside run_guarded() of the faulting thread makes run_guarded() return false. Any other
// fault is passed to the callback and then to the previously installed handler.
#pragma once

#include <cstddef>

namespace convoy::os {

// Called in signal context for a fault outside run_guarded(); may only write to standard error.
using fault_callback = void (*)(const void* address);

// Installs the handler, once; later calls only replace the callback.
void install_fault_handler(fault_callback on_unguarded) noexcept;

// Calls body(context). False when a fault ended it: siglongjmp then left the body, so it must own
// nothing that needs a destructor.
bool run_guarded(void (*body)(void*), void* context) noexcept;

template <class Body>
bool run_guarded(const Body& body) noexcept {
  return run_guarded([](void* context) { (*static_cast<const Body*>(context))(); },
                     const_cast<Body*>(&body));
}

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
