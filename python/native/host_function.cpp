#include "host_function.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>

namespace convoy::python {
namespace {

struct function_raised : std::exception {};

std::atomic<bool> closed{false};

// Owns nothing that would have to be let go of: the interpreter ends threads that come back to it
// after its end by unwinding them, and whatever runs then runs without the GIL.
void call_with_gil(PyObject* function) {
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const answer = PyObject_CallObject(function, nullptr);
  if (answer == nullptr) PyErr_WriteUnraisable(function);
  Py_XDECREF(answer);
  PyGILState_Release(before);
  if (answer == nullptr) throw function_raised();
}

}  // namespace

void run_on_host_thread(PyObject* function) {
  if (closed.load(std::memory_order_relaxed)) return;
  try {
    call_with_gil(function);
  } catch (const function_raised&) {
    throw;
  } catch (...) {
    // The interpreter unwinds the thread. The frames below may not be left this way, and the
    // process is about to exit.
    while (true) ::pause();
  }
}

void close_host_functions() { closed.store(true, std::memory_order_relaxed); }

}  // namespace convoy::python
