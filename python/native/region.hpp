// The bytes of a Python object, as one end of a copy sees them.
//
// An object can be a buffer of Convoy's, a NumPy array, anything with the buffer protocol,
// __array_interface__ or DLPack, or an int that is an address. Its bytes lie in one piece.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace convoy::python {

inline constexpr std::size_t unknown_size = SIZE_MAX;  // of an address

struct region {
  void* start = nullptr;
  std::size_t bytes = 0;
  bool readonly = false;

  // What else has to live as long as the bytes are used, beside the object: an export of its
  // buffer, so that nobody resizes it. Null in most cases.
  nanobind::object held = {};
};

// Raises TypeError for an object that has no bytes to offer.
region region_of(PyObject* object);

// The same for the end a copy writes to; TypeError when it is read-only.
region writable_region_of(PyObject* object);

}  // namespace convoy::python
