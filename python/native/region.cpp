#include "region.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>

#include "buffers.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// The first members of PyArrayObject. NumPy's macros compile these offsets into the modules that
// use it, so they are stable.
struct ndarray_head {
  PyObject_HEAD void* memory;
  int dimensions;
  Py_ssize_t* lengths;
  Py_ssize_t* strides;
  PyObject* base;
  PyObject* type;
  int flags;
};

constexpr int contiguous_flags = 0x1 | 0x2;  // in C or in Fortran order
constexpr int writeable_flag = 0x400;

// Null until NumPy is imported; without NumPy there are no arrays.
PyTypeObject* ndarray_type() {
  static PyTypeObject* cached = nullptr;
  if (cached != nullptr) return cached;
  PyObject* const numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (numpy == nullptr) return nullptr;
  PyObject* const type = PyObject_GetAttrString(numpy, "ndarray");
  if (type == nullptr || !PyType_Check(type)) {
    PyErr_Clear();
    Py_XDECREF(type);
    return nullptr;
  }
  return cached = reinterpret_cast<PyTypeObject*>(type);
}

// Size of a contiguous array, or unknown_size when the strides do not determine it.
std::size_t bytes_of(const ndarray_head& array) {
  Py_ssize_t size = -1;
  for (int i = 0; i != array.dimensions; ++i) {
    if (array.lengths[i] == 0) return 0;
    if (array.lengths[i] > 1) size = std::max(size, array.lengths[i] * array.strides[i]);
  }
  return size < 0 ? unknown_size : static_cast<std::size_t>(size);
}

// Fast path without the buffer protocol, for lists of thousands of arrays. False when the general
// path has to be taken.
bool read_ndarray(PyObject* object, region& found) {
  PyTypeObject* const type = ndarray_type();
  if (type == nullptr || !PyObject_TypeCheck(object, type)) return false;
  const auto& array = *reinterpret_cast<const ndarray_head*>(object);
  if ((array.flags & contiguous_flags) == 0) {
    throw nb::type_error("the array is not contiguous");
  }
  found.start = array.memory;
  found.bytes = bytes_of(array);
  found.readonly = (array.flags & writeable_flag) == 0;
  return found.bytes != unknown_size;
}

bool read_slice(PyObject* object, region& found) {
  if (nb::isinstance<device_slice>(object)) {
    const auto& slice = *nb::inst_ptr<device_slice>(object);
    expect_open(slice);
    found = {slice.start, slice.bytes};
    return true;
  }
  if (!nb::isinstance<host_slice>(object)) return false;
  const auto& slice = *nb::inst_ptr<host_slice>(object);
  expect_open(slice);
  found = {slice.start, slice.bytes, slice.readonly};
  return true;
}

bool read_address(PyObject* object, region& found) {
  if (!PyLong_Check(object)) return false;
  found.start = PyLong_AsVoidPtr(object);
  if (found.start == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  found.bytes = unknown_size;
  return true;
}

bool read_buffer(PyObject* object, region& found) {
  if (PyObject_CheckBuffer(object) == 0) return false;
  nb::object view = nb::steal(PyMemoryView_FromObject(object));
  if (!view) throw nb::python_error();
  const Py_buffer& bytes = *PyMemoryView_GET_BUFFER(view.ptr());
  if (PyBuffer_IsContiguous(&bytes, 'A') == 0) {
    throw nb::type_error("the buffer is not contiguous");
  }
  found = {bytes.buf, static_cast<std::size_t>(bytes.len), bytes.readonly != 0, std::move(view)};
  return true;
}

// NumPy reads objects that have only __array_interface__.
bool read_array_interface(PyObject* object, region& found) {
  const nb::object interface = nb::getattr(object, "__array_interface__", nb::none());
  if (interface.is_none()) return false;
  const auto array = nb::module_::import_("numpy").attr("asarray")(nb::handle(object));
  if (!read_ndarray(array.ptr(), found) && !read_buffer(array.ptr(), found)) return false;
  found.exported = array;
  return true;
}

bool read_dlpack(PyObject* object, region& found) {
  if (!nb::hasattr(object, "__dlpack__")) return false;
  nb::ndarray<nb::device::cpu, nb::c_contig> tensor;
  if (!nb::try_cast(nb::handle(object), tensor)) {
    throw nb::type_error("the tensor is not contiguous, writable host memory");
  }
  found = {tensor.data(), tensor.nbytes(), false, nb::cast(tensor)};
  return true;
}

}  // namespace

region region_of(PyObject* object) {
  region found;
  if (read_ndarray(object, found) || read_slice(object, found) || read_address(object, found) ||
      read_buffer(object, found) || read_array_interface(object, found) ||
      read_dlpack(object, found)) {
    return found;
  }
  const std::string name = Py_TYPE(object)->tp_name;
  throw nb::type_error(("an object of type '" + name + "' has no memory to copy").c_str());
}

region writable_region_of(PyObject* object) {
  region found = region_of(object);
  if (found.readonly) throw nb::type_error("the destination is read-only");
  return found;
}

}  // namespace convoy::python
