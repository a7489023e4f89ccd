#include "errors.hpp"

#include <string_view>

#include "host_function.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

constexpr std::string_view name_of(copy_side side) {
  switch (side) {
    case copy_side::none: return "";
    case copy_side::source: return "source";
    case copy_side::destination: return "destination";
  }
  return "";
}

nb::object to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

}  // namespace

void raise(const status& outcome, const nb::object& cause) {
  const nb::object make = nb::module_::import_("convoy._errors").attr("error_for");
  nb::object item = nb::none();
  if (outcome.item) item = nb::int_(*outcome.item);
  const nb::object error = make(to_str(name(outcome.code)), to_str(explain(outcome)), item,
                                to_str(name_of(outcome.side)),
                                nb::int_(reinterpret_cast<std::uintptr_t>(outcome.address)));
  if (cause) PyException_SetCause(error.ptr(), nb::object(cause).release().ptr());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void expect(const status& outcome) {
  if (outcome.ok()) return;
  raise(outcome, outcome.code == errc::function_threw ? only_exception() : nb::object());
}

void expect(const status& outcome, std::uint64_t stream) {
  if (outcome.ok()) return;
  raise(outcome, outcome.code == errc::function_threw ? exception_of(stream) : nb::object());
}

}  // namespace convoy::python
