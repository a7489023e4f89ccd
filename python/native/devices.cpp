#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <convoy/configuration.hpp>
#include <convoy/device.hpp>

#include "bindings.hpp"
#include "errors.hpp"
#include "region.hpp"
#include "waiting.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

device device_numbered(int number) { return device(device_id{number}); }

nb::tuple memory(int number) {
  const memory_stats found = expect(device_numbered(number).memory());
  return nb::make_tuple(found.free, found.total);
}

void synchronize(int number, std::optional<double> timeout) {
  expect(wait_interruptibly(timeout, [&](std::chrono::nanoseconds limit) {
    return device_numbered(number).synchronize(limit);
  }));
}

constexpr const char* name_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::pageable: return "pageable";
    case memory_kind::pinned: return "pinned";
    case memory_kind::registered: return "registered";
    case memory_kind::managed: return "managed";
    case memory_kind::device: return "device";
  }
  return "";
}

nb::tuple locate_object(nb::handle object) {
  const pointer_attributes found = expect(locate(region_of(object.ptr()).start));
  return nb::make_tuple(name_of(found.kind), number(found.device),
                        reinterpret_cast<std::uintptr_t>(found.base), found.size);
}

std::uintptr_t pin_in_place(nb::handle object) {
  const region found = region_of(object.ptr());
  if (found.bytes == unknown_size) throw nb::type_error("an address has no size");
  const pin_access access = found.readonly ? pin_access::read_only : pin_access::read_write;
  expect(pin(found.start, found.bytes, access));
  return reinterpret_cast<std::uintptr_t>(found.start);
}

void unpin_at(std::uintptr_t start) { expect(unpin(reinterpret_cast<void*>(start))); }

nb::dict read_settings() {
  nb::dict made;
  for (const setting& each : expect(settings())) {
    made[nb::str(each.name.data(), each.name.size())] = each.value;
  }
  return made;
}

}  // namespace

void bind_devices(nb::module_& m) {
  m.def("device_count", [] { return expect(device_count()); });
  m.def("memory", &memory);
  m.def("synchronize_device", &synchronize, nb::arg("device"), nb::arg("timeout").none());
  m.def("can_access",
        [](int from, int to) { return expect(device_numbered(from).can_access(device_id{to})); });
  m.def("has_access",
        [](int from, int to) { return expect(device_numbered(from).has_access(device_id{to})); });
  m.def("enable_access",
        [](int from, int to) { expect(device_numbered(from).enable_access(device_id{to})); });
  m.def("disable_access",
        [](int from, int to) { expect(device_numbered(from).disable_access(device_id{to})); });
  m.def("locate", &locate_object);
  m.def("pin", &pin_in_place);
  m.def("unpin", &unpin_at);
  m.def("settings", &read_settings);
}

}  // namespace convoy::python
