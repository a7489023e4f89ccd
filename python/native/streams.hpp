// Streams, events and host functions.
#pragma once

#include <nanobind/nanobind.h>

namespace convoy::python {

void bind_streams(nanobind::module_& m);
void bind_events(nanobind::module_& m);
void bind_devices(nanobind::module_& m);

}  // namespace convoy::python
