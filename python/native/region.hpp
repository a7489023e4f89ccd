// The memory region of a Python object that is the source or destination of a copy.
//
// The object can be a Convoy buffer, a NumPy array, anything with the buffer protocol,
// __array_interface__ or DLPack, or an int that is an address. The region is contiguous.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace convoy::python {

inline constexpr std::size_t unknown_size = SIZE_MAX;  // an address tells no size

struct region {
  void* start = nullptr;
  std::size_t bytes = 0;
  bool readonly = false;

  // An export of the object's buffer, which must live as long as the bytes are used, so that the
  // object cannot be resized. Null in most cases.
  nanobind::object exported = {};
};

// Raises TypeError for an object that has no memory.
region region_of(PyObject* object);

// For the destination of a copy; TypeError also when the memory is read-only.
region writable_region_of(PyObject* object);

}  // namespace convoy::python
