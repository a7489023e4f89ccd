// convoy._native: the native API for the Python classes above it. convoy/_native.pyi has its types.

#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "host_function.hpp"
#include "release_thread.hpp"

namespace nb = nanobind;

NB_MODULE(_native, m) {
  using namespace convoy::python;
  // Objects that copies still use when the process exits are leaked on purpose.
  nb::set_leak_warnings(false);

  m.attr("__version__") = CONVOY_VERSION;
  bind_devices(m);
  bind_buffers(m);
  bind_events(m);
  bind_streams(m);

  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    stop_release_thread();
    stop_host_functions();
  }));
}
