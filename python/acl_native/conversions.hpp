// Conversions of dicts to C structures and of integer sequences to C arrays.
//
// A key is the name of the C field, compared without case and underscores: pageSize and page_size
// are the same key. The field of an absent key is zero.
#pragma once

#include <acl/acl.h>

#include <vector>

#include "binding.hpp"

namespace convoy::python {

// The value of a key as a borrowed reference, or null when it is absent. Raises nothing.
PyObject* find_key(PyObject* dict, const char* field);

// False with an exception set when the value is not an int.
template <class T>
bool read_key(PyObject* dict, const char* field, T& value) {
  PyObject* const found = find_key(dict, field);
  return found == nullptr || from_python(found, value);
}

bool is_dict(PyObject* object, const char* argument);

// Calls read(item) for the items of a sequence until one is false. Otherwise a TypeError that the
// argument must be what is `expected`.
template <class Read>
bool read_items(PyObject* sequence, const char* argument, const char* expected, const Read& read) {
  PyObject* const items = PySequence_Fast(sequence, "");
  if (items == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s must be %s", argument, expected);
    return false;
  }
  bool valid = true;
  for (Py_ssize_t i = 0; valid && i != PySequence_Fast_GET_SIZE(items); ++i) {
    valid = read(PySequence_Fast_GET_ITEM(items, i));
  }
  Py_DECREF(items);
  return valid;
}

bool read_location(PyObject* dict, const char* field, aclrtMemLocation& location);
bool read_properties(PyObject* dict, aclrtPhysicalMemProp& properties);

PyObject* location_dict(const aclrtMemLocation& location);

// The integers of a list or tuple, converted, or of an array of 64-bit integers, used in place.
class uint64_array {
 public:
  uint64_array() = default;
  ~uint64_array();
  uint64_array(const uint64_array&) = delete;
  uint64_array& operator=(const uint64_array&) = delete;

  bool read(PyObject* object, const char* argument);

  template <class T>
  [[nodiscard]] T* as() {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    return reinterpret_cast<T*>(values_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  bool read_array(const char* argument);
  bool read_sequence(PyObject* object, const char* argument);

  Py_buffer buffer_ = {};
  std::vector<std::uint64_t> storage_;
  std::uint64_t* values_ = nullptr;
  std::size_t size_ = 0;
};

// PIDs, or other 32-bit integers, of a sequence.
bool read_int32_sequence(PyObject* object, const char* argument, std::vector<std::int32_t>& found);

}  // namespace convoy::python
