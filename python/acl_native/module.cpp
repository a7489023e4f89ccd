// acl._native: the functions of acl, acl.rt and acl.util that forward to libascendcl.

#include "tables.hpp"

namespace {

using namespace convoy::python;

// The functions live as long as the process, because modules do not own them.
PyMethodDef* finished(void (*add)(table&)) {
  auto* const rows = new table;
  add(*rows);
  rows->push_back({});
  return rows->data();
}

void add_rt_rows(table& rows) {
  add_device_rows(rows);
  add_stream_rows(rows);
  add_memory_rows(rows);
  add_copy_rows(rows);
  add_sharing_rows(rows);
  add_callback_rows(rows);
}

// A module with the functions of a table, as the attribute `name` of another; false with an
// exception set.
bool add_module(PyObject* to, const char* name, const char* full_name, void (*add)(table&)) {
  PyObject* const made = PyModule_New(full_name);
  if (made == nullptr) return false;
  const bool whole =
      PyModule_AddFunctions(made, finished(add)) == 0 && PyModule_AddObject(to, name, made) == 0;
  if (!whole) Py_DECREF(made);
  return whole;
}

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "acl._native", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() {
  PyObject* const made = PyModule_Create(&definition);
  if (made == nullptr) return nullptr;
  if (add_module(made, "root", "acl", add_root_rows) &&
      add_module(made, "rt", "acl.rt", add_rt_rows) &&
      add_module(made, "util", "acl.util", add_address_rows) &&
      PyModule_AddFunctions(made, finished(add_private_rows)) == 0) {
    return made;
  }
  Py_DECREF(made);
  return nullptr;
}
