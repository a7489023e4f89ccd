#include "region.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>

#include "blocks.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// How every ndarray starts. NumPy's own macros compile these offsets into the modules that use it,
// so they do not move.
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

// Null as long as nobody has imported NumPy, and then there are no arrays.
PyTypeObject* ndarray_type() {
  static PyTypeObject* known = nullptr;
  if (known != nullptr) return known;
  PyObject* const numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (numpy == nullptr) return nullptr;
  PyObject* const type = PyObject_GetAttrString(numpy, "ndarray");
  if (type == nullptr || !PyType_Check(type)) {
    PyErr_Clear();
    Py_XDECREF(type);
    return nullptr;
  }
  return known = reinterpret_cast<PyTypeObject*>(type);
}

// Bytes of a contiguous array, or unknown_size when its strides do not tell.
std::size_t bytes_of(const ndarray_head& array) {
  Py_ssize_t most = -1;
  for (int i = 0; i != array.dimensions; ++i) {
    if (array.lengths[i] == 0) return 0;
    if (array.lengths[i] > 1) most = std::max(most, array.lengths[i] * array.strides[i]);
  }
  return most < 0 ? unknown_size : static_cast<std::size_t>(most);
}

// The shortest way, for lists of thousands of arrays. False when another way has to be taken.
bool read_ndarray(PyObject* object, region& found) {
  PyTypeObject* const type = ndarray_type();
  if (type == nullptr || !PyObject_TypeCheck(object, type)) return false;
  const auto& array = *reinterpret_cast<const ndarray_head*>(object);
  if ((array.flags & contiguous_flags) == 0) {
    throw nb::type_error("the array is not contiguous, and a copy moves bytes in one piece");
  }
  found.start = array.memory;
  found.bytes = bytes_of(array);
  found.readonly = (array.flags & writeable_flag) == 0;
  return found.bytes != unknown_size;
}

bool read_block(PyObject* object, region& found) {
  if (nb::isinstance<device_block>(object)) {
    const auto& of = *nb::inst_ptr<device_block>(object);
    found = {of.start, of.bytes};
    return true;
  }
  if (!nb::isinstance<host_block>(object)) return false;
  const auto& of = *nb::inst_ptr<host_block>(object);
  found = {of.start, of.bytes, of.readonly};
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
    throw nb::type_error("the buffer is not contiguous, and a copy moves bytes in one piece");
  }
  found = {bytes.buf, static_cast<std::size_t>(bytes.len), bytes.readonly != 0, std::move(view)};
  return true;
}

// Arrays that tell where they are and nothing more can be read by NumPy's rules for them.
bool read_array_interface(PyObject* object, region& found) {
  const nb::object told = nb::getattr(object, "__array_interface__", nb::none());
  if (told.is_none()) return false;
  const auto array = nb::module_::import_("numpy").attr("asarray")(nb::handle(object));
  if (!read_ndarray(array.ptr(), found) && !read_buffer(array.ptr(), found)) return false;
  found.held = array;
  return true;
}

bool read_dlpack(PyObject* object, region& found) {
  if (!nb::hasattr(object, "__dlpack__")) return false;
  nb::ndarray<nb::device::cpu, nb::c_contig> tensor;
  if (!nb::try_cast(nb::handle(object), tensor)) {
    throw nb::type_error("the tensor is not contiguous host memory that can be written");
  }
  found = {tensor.data(), tensor.nbytes(), false, nb::cast(tensor)};
  return true;
}

}  // namespace

region region_of(PyObject* object) {
  region found;
  if (read_ndarray(object, found) || read_block(object, found) || read_address(object, found) ||
      read_buffer(object, found) || read_array_interface(object, found) ||
      read_dlpack(object, found)) {
    return found;
  }
  const std::string name = Py_TYPE(object)->tp_name;
  throw nb::type_error(("an object of type '" + name + "' has no bytes to copy").c_str());
}

region writable_region_of(PyObject* object) {
  region found = region_of(object);
  if (found.readonly) throw nb::type_error("the destination is read-only");
  return found;
}

}  // namespace convoy::python
