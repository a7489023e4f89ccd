#include <nanobind/stl/optional.h>

#include <convoy/event.hpp>

#include "bindings.hpp"
#include "errors.hpp"
#include "waiting.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

event make_python_event(int device, bool timing) {
  return expect(make_event(device_id{device}, {timing}));
}

bool is_reached(const event& self) {
  const status outcome = self.query();
  if (outcome.code == errc::not_ready) return false;
  expect(outcome);
  return true;
}

void synchronize(const event& self, std::optional<double> timeout) {
  expect(wait_interruptibly(
      timeout, [&](std::chrono::nanoseconds limit) { return self.synchronize(limit); }));
}

double seconds_between(const event& start, const event& end) {
  return std::chrono::duration<double>(expect(elapsed(start, end))).count();
}

}  // namespace

void bind_events(nb::module_& m) {
  nb::class_<event>(m, "Event")
      .def_prop_ro("handle", [](const event& self) { return self.handle(); })
      .def("close", [](event& self) { const event closed = std::move(self); })
      .def("reached", &is_reached)
      .def("synchronize", &synchronize, nb::arg("timeout").none())
      .def("seconds_since",
           [](const event& end, const event& start) { return seconds_between(start, end); });
  m.def("event", &make_python_event, nb::arg("device"), nb::arg("timing"));
}

}  // namespace convoy::python
