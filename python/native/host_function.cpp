#include "host_function.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>

namespace convoy::python {
namespace {

struct function_raised : std::exception {};

std::atomic<bool> stopped{false};

// Has no local with a destructor: after its end the interpreter terminates threads that ask for the
// GIL by unwinding them, and destructors would then run without the GIL.
void call_with_gil(PyObject* function) {
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const returned = PyObject_CallObject(function, nullptr);
  if (returned == nullptr) PyErr_WriteUnraisable(function);
  Py_XDECREF(returned);
  PyGILState_Release(before);
  if (returned == nullptr) throw function_raised();
}

}  // namespace

void run_on_host_thread(PyObject* function) {
  if (stopped.load(std::memory_order_relaxed)) return;
  try {
    call_with_gil(function);
  } catch (const function_raised&) {
    throw;
  } catch (...) {
    // The interpreter unwinds the thread. The frames of the engine below must not be unwound, and
    // the process is about to exit.
    while (true) ::pause();
  }
}

void stop_host_functions() { stopped.store(true, std::memory_order_relaxed); }

}  // namespace convoy::python
