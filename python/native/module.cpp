// convoy._native: the native API for the Python classes above it. convoy/_native.pyi has its types.

#include <nanobind/nanobind.h>

#include "blocks.hpp"
#include "host_function.hpp"
#include "release_thread.hpp"
#include "streams.hpp"

namespace nb = nanobind;

NB_MODULE(_native, m) {
  using namespace convoy::python;
  // What copies still need when the process exits is meant to stay.
  nb::set_leak_warnings(false);

  bind_devices(m);
  bind_blocks(m);
  bind_events(m);
  bind_streams(m);

  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    close_release_thread();
    close_host_functions();
  }));
}
