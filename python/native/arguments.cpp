#include "arguments.hpp"

namespace nb = nanobind;

namespace convoy::python {

void raise_wrong_type(nb::handle value, const char* argument, const char* expected) {
  PyErr_Format(PyExc_TypeError, "%s must be %s, not '%s'", argument, expected,
               Py_TYPE(value.ptr())->tp_name);
  throw nb::python_error();
}

std::size_t to_size(nb::handle value, const char* argument) {
  if (PyIndex_Check(value.ptr()) == 0) raise_wrong_type(value, argument, "an integer");
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number) throw nb::python_error();
  const std::size_t size = PyLong_AsSize_t(number.ptr());
  if (size == static_cast<std::size_t>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s is %S: it must be from 0 to 2**64 - 1", argument,
                 number.ptr());
    throw nb::python_error();
  }
  return size;
}

std::optional<std::size_t> to_optional_size(nb::handle value, const char* argument) {
  if (value.is_none()) return {};
  return to_size(value, argument);
}

std::string_view to_text(nb::handle value, const char* argument) {
  if (PyUnicode_Check(value.ptr()) == 0) raise_wrong_type(value, argument, "a string");
  Py_ssize_t bytes = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &bytes);
  if (text == nullptr) throw nb::python_error();
  return {text, static_cast<std::size_t>(bytes)};
}

}  // namespace convoy::python
