#include "conversions.hpp"

#include <cctype>
#include <string_view>

namespace convoy::python {
namespace {

// Compares without case and underscores.
bool same_identifier(std::string_view a, std::string_view b) {
  std::size_t j = 0;
  for (const char each : a) {
    if (each == '_') continue;
    while (j != b.size() && b[j] == '_') ++j;
    if (j == b.size() || std::tolower(each) != std::tolower(b[j])) return false;
    ++j;
  }
  return b.find_first_not_of('_', j) == std::string_view::npos;
}

bool holds_64_bit_integers(const Py_buffer& array) {
  const std::string_view format = array.format == nullptr ? "B" : array.format;
  return array.ndim == 1 && array.itemsize == 8 && !format.empty() &&
         std::string_view("lLqQnN").find(format.back()) != std::string_view::npos;
}

}  // namespace

bool has_argument_count(const char* name, Py_ssize_t count, Py_ssize_t wanted) {
  if (count == wanted) return true;
  PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd argument%s (%zd given)", name, wanted,
               wanted == 1 ? "" : "s", count);
  return false;
}

PyObject* find_key(PyObject* dict, const char* field) {
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value) != 0;) {
    const char* const name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : nullptr;
    if (name != nullptr && same_identifier(name, field)) return value;
  }
  return nullptr;
}

bool is_dict(PyObject* object, const char* argument) {
  if (PyDict_Check(object)) return true;
  PyErr_Format(PyExc_TypeError, "%s must be a dict, not %s", argument, Py_TYPE(object)->tp_name);
  return false;
}

bool read_location(PyObject* dict, const char* field, aclrtMemLocation& location) {
  PyObject* const found = find_key(dict, field);
  if (found == nullptr) return true;
  return is_dict(found, field) && read_key(found, "id", location.id) &&
         read_key(found, "type", location.type);
}

bool read_properties(PyObject* dict, aclrtPhysicalMemProp& properties) {
  return is_dict(dict, "prop") && read_key(dict, "handleType", properties.handleType) &&
         read_key(dict, "allocationType", properties.allocationType) &&
         read_key(dict, "memAttr", properties.memAttr) &&
         read_location(dict, "location", properties.location) &&
         read_key(dict, "reserve", properties.reserve);
}

PyObject* location_dict(const aclrtMemLocation& location) {
  return Py_BuildValue("{s:I,s:i}", "id", location.id, "type", static_cast<int>(location.type));
}

uint64_array::~uint64_array() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

bool uint64_array::read(PyObject* object, const char* argument) {
  const bool is_array =
      !PyList_Check(object) && !PyTuple_Check(object) && PyObject_CheckBuffer(object) != 0;
  if (!is_array) return read_sequence(object, argument);
  if (PyObject_GetBuffer(object, &buffer_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Format(PyExc_TypeError, "%s must be a contiguous array", argument);
    return false;
  }
  return read_array(argument);
}

bool uint64_array::read_array(const char* argument) {
  if (!holds_64_bit_integers(buffer_)) {
    PyErr_Format(PyExc_TypeError, "%s must be a one-dimensional array of 64-bit integers",
                 argument);
    return false;
  }
  values_ = static_cast<std::uint64_t*>(buffer_.buf);
  size_ = static_cast<std::size_t>(buffer_.shape[0]);
  return true;
}

bool uint64_array::read_sequence(PyObject* object, const char* argument) {
  if (PyList_Check(object) || PyTuple_Check(object)) {
    storage_.reserve(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object)));
  }
  const bool valid =
      read_items(object, argument, "a list or an array of 64-bit integers",
                 [&](PyObject* item) { return from_python(item, storage_.emplace_back()); });
  values_ = storage_.data();
  size_ = storage_.size();
  return valid;
}

bool read_int32_sequence(PyObject* object, const char* argument, std::vector<std::int32_t>& found) {
  uint64_array wide;
  if (!wide.read(object, argument)) return false;
  for (std::size_t i = 0; i != wide.size(); ++i) {
    found.push_back(static_cast<std::int32_t>(wide.as<std::uint64_t>()[i]));
  }
  return true;
}

}  // namespace convoy::python
