// Python functions that a stream runs.
#pragma once

#include <nanobind/nanobind.h>

namespace convoy::python {

// Calls `function` on a Convoy thread. An exception goes to sys.unraisablehook and fails the
// step. After stop_host_functions() nothing is called.
void run_on_host_thread(PyObject* function);

// The interpreter is about to exit: from now on no function is called.
void stop_host_functions();

}  // namespace convoy::python
