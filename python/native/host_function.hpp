// Python functions that a stream runs.
#pragma once

#include <nanobind/nanobind.h>

namespace convoy::python {

// Calls `function` on a thread of Convoy's. An exception goes to sys.unraisablehook and fails the
// step. After the interpreter has gone nothing is called.
void run_on_host_thread(PyObject* function);

// From now on nothing is called.
void close_host_functions();

}  // namespace convoy::python
