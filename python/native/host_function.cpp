#include "host_function.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>

namespace nb = nanobind;

namespace convoy::python {
namespace {

std::atomic<bool> closed{false};

void call_with_gil(PyObject* function) {
  const nb::gil_scoped_acquire gil;
  const nb::object answer = nb::steal(PyObject_CallObject(function, nullptr));
  if (answer) return;
  PyErr_WriteUnraisable(function);
  throw std::runtime_error("the Python function raised");
}

}  // namespace

void run_on_host_thread(PyObject* function) {
  if (closed.load(std::memory_order_relaxed)) return;
  try {
    call_with_gil(function);
  } catch (abi::__forced_unwind&) {
    // The interpreter ends threads that come back to it too late. Unwinding would run into frames
    // that may not be left this way, and the process is about to exit.
    while (true) ::pause();
  }
}

void close_host_functions() { closed.store(true, std::memory_order_relaxed); }

}  // namespace convoy::python
