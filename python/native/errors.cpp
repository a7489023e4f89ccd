#include "errors.hpp"

#include <string_view>

namespace nb = nanobind;

namespace convoy::python {
namespace {

constexpr std::string_view word_for(copy_side side) {
  switch (side) {
    case copy_side::none: return "";
    case copy_side::source: return "source";
    case copy_side::destination: return "destination";
  }
  return "";
}

nb::object text(std::string_view words) { return nb::str(words.data(), words.size()); }

}  // namespace

void raise(const status& outcome) {
  const nb::object make = nb::module_::import_("convoy._errors").attr("error_for");
  nb::object item = nb::none();
  if (outcome.item) item = nb::int_(*outcome.item);
  const nb::object error =
      make(text(name(outcome.code)), text(explain(outcome)), item, text(word_for(outcome.side)),
           nb::int_(reinterpret_cast<std::uintptr_t>(outcome.address)));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace convoy::python
