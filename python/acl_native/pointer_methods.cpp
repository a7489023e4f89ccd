// acl.util: conversions between pointers and Python objects.

#include <acl/acl.h>

#include "method_tables.hpp"

namespace convoy::python {
namespace {

PyObject* bytes_to_ptr(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  PyObject* content = nullptr;
  if (!read_arguments("bytes_to_ptr", {arguments, argc}, content)) return nullptr;
  if (PyBytes_Check(content)) return to_python(PyBytes_AS_STRING(content));
  PyErr_SetString(PyExc_ValueError, "bytes_to_ptr() takes bytes");
  return nullptr;
}

bool is_device_memory_on_host(const void* start) {
  aclrtPtrAttributes found = {};
  aclrtRunMode mode = ACL_HOST;
  return aclrtPointerGetAttributes(start, &found) == ACL_SUCCESS &&
         found.location.type == ACL_MEM_LOCATION_TYPE_DEVICE &&
         aclrtGetRunMode(&mode) == ACL_SUCCESS && mode == ACL_HOST;
}

// Reads an address and a size; ValueError for memory that the host cannot read.
bool read_range(const char* name, const call_arguments& given, char*& start, Py_ssize_t& size) {
  void* pointer = nullptr;
  std::size_t bytes = 0;
  if (!read_arguments(name, given, pointer, bytes)) return false;
  start = static_cast<char*>(pointer);
  size = static_cast<Py_ssize_t>(bytes);
  const char* problem = nullptr;
  if (size < 0) problem = "the size is negative";
  if (start == nullptr && size != 0) problem = "the address is 0";
  if (size != 0 && problem == nullptr && is_device_memory_on_host(start)) {
    problem = "the address is device memory; copy it to the host first";
  }
  if (problem != nullptr) PyErr_SetString(PyExc_ValueError, problem);
  return problem == nullptr;
}

PyObject* ptr_to_bytes(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  char* start = nullptr;
  Py_ssize_t size = 0;
  if (!read_range("ptr_to_bytes", {arguments, argc}, start, size)) return nullptr;
  return PyBytes_FromStringAndSize(start, size);
}

// For the functions of acl.util that are written in Python.
PyObject* memory_at(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  char* start = nullptr;
  Py_ssize_t size = 0;
  if (!read_range("memory_at", {arguments, argc}, start, size)) return nullptr;
  return PyMemoryView_FromMemory(start, size, PyBUF_WRITE);
}

}  // namespace

void add_pointer_methods(method_table& methods) {
  methods.insert(methods.end(), {
                                    method("bytes_to_ptr", &bytes_to_ptr),
                                    method("ptr_to_bytes", &ptr_to_bytes),
                                });
}

void add_private_methods(method_table& methods) {
  methods.push_back(method("memory_at", &memory_at));
}

}  // namespace convoy::python
