// Python functions that a stream runs.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace convoy::python {

// Calls `function` on a Convoy thread. An exception goes to sys.unraisablehook, is stored as that
// of the stream, and fails the step. After stop_host_functions() nothing is called.
void run_on_host_thread(PyObject* function, std::uint64_t stream);

// The first exception of a function of the stream since forget_exception(); null when there is
// none. These functions need the GIL.
nanobind::object exception_of(std::uint64_t stream);
// For errors that do not name their stream: the exception when one stream has one, else null.
nanobind::object only_exception();
void forget_exception(std::uint64_t stream);

// The interpreter is about to exit: from now on no function is called.
void stop_host_functions();

}  // namespace convoy::python
