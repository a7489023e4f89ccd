#include "host_function.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <unordered_map>

namespace convoy::python {
namespace {

struct function_raised : std::exception {};

std::atomic<bool> stopped{false};

// Guarded by the GIL, and never destroyed: threads use it until the process has ended.
std::unordered_map<std::uint64_t, PyObject*>& exceptions() {
  static auto& by_stream = *new std::unordered_map<std::uint64_t, PyObject*>;
  return by_stream;
}

// Stores the current exception unless the stream has one, and leaves it current.
void store_exception(std::uint64_t stream) {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  if (exceptions().try_emplace(stream, value).second) Py_INCREF(value);
  PyErr_Restore(type, value, traceback);
}

// Has no local with a destructor: after its end the interpreter terminates threads that ask for the
// GIL by unwinding them, and destructors would then run without the GIL.
void call_with_gil(PyObject* function, std::uint64_t stream) {
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const returned = PyObject_CallObject(function, nullptr);
  if (returned == nullptr) {
    store_exception(stream);
    PyErr_WriteUnraisable(function);
  }
  Py_XDECREF(returned);
  PyGILState_Release(before);
  if (returned == nullptr) throw function_raised();
}

}  // namespace

void run_on_host_thread(PyObject* function, std::uint64_t stream) {
  if (stopped.load(std::memory_order_relaxed)) return;
  try {
    call_with_gil(function, stream);
  } catch (const function_raised&) {
    throw;
  } catch (...) {
    // The interpreter unwinds the thread. The frames of the engine below must not be unwound, and
    // the process is about to exit.
    while (true) ::pause();
  }
}

nanobind::object exception_of(std::uint64_t stream) {
  const auto found = exceptions().find(stream);
  return found == exceptions().end() ? nanobind::object() : nanobind::borrow(found->second);
}

nanobind::object only_exception() {
  if (exceptions().size() != 1) return {};
  return nanobind::borrow(exceptions().begin()->second);
}

void forget_exception(std::uint64_t stream) {
  const auto found = exceptions().find(stream);
  if (found == exceptions().end()) return;
  PyObject* const forgotten = found->second;
  exceptions().erase(found);
  Py_DECREF(forgotten);
}

void stop_host_functions() { stopped.store(true, std::memory_order_relaxed); }

}  // namespace convoy::python
