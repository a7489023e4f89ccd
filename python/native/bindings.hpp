// The parts of the module: each function adds classes and functions to it.
#pragma once

#include <nanobind/nanobind.h>

namespace convoy::python {

void bind_buffers(nanobind::module_& m);
void bind_devices(nanobind::module_& m);
void bind_events(nanobind::module_& m);
void bind_streams(nanobind::module_& m);

}  // namespace convoy::python
