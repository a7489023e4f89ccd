// C structures as dicts, and lists of numbers as C arrays.
//
// A key is looked up by the name of the C field; letters in upper case and underscores do not
// matter, so that pageSize and page_size are one key. A key that is absent is zero.
#pragma once

#include <acl/acl.h>

#include <vector>

#include "binding.hpp"

namespace convoy::python {

// The value of a key, or null when it is absent; borrowed. Raises nothing.
PyObject* find_key(PyObject* dict, const char* field);

// False with an exception set when the value is there and no int.
template <class T>
bool read_key(PyObject* dict, const char* field, T& value) {
  PyObject* const found = find_key(dict, field);
  return found == nullptr || from_python(found, value);
}

bool is_dict(PyObject* object, const char* what);

bool read_location(PyObject* dict, const char* field, aclrtMemLocation& location);
bool read_properties(PyObject* dict, aclrtPhysicalMemProp& properties);

PyObject* location_dict(const aclrtMemLocation& location);

// Numbers of a list, a tuple, or an array of 64-bit integers, which is used where it is.
class numbers {
 public:
  numbers() = default;
  ~numbers();
  numbers(const numbers&) = delete;
  numbers& operator=(const numbers&) = delete;

  bool read(PyObject* object, const char* what);

  template <class T>
  [[nodiscard]] T* as() {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    return reinterpret_cast<T*>(words_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  bool read_array(const char* what);
  bool read_sequence(PyObject* object, const char* what);

  Py_buffer held_ = {};
  std::vector<std::uint64_t> own_;
  std::uint64_t* words_ = nullptr;
  std::size_t size_ = 0;
};

// Process ids, or other 32-bit numbers, of a sequence.
bool read_small_numbers(PyObject* object, const char* what, std::vector<std::int32_t>& found);

}  // namespace convoy::python
