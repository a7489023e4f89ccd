// acl._native: the functions of acl, acl.rt and acl.util that forward to libascendcl.

#include "method_tables.hpp"

namespace {

using namespace convoy::python;

// Leaked on purpose: modules refer to the table but do not own it.
PyMethodDef* make_method_table(void (*add)(method_table&)) {
  auto* const methods = new method_table;
  add(*methods);
  methods->push_back({});
  return methods->data();
}

void add_rt_methods(method_table& methods) {
  add_device_methods(methods);
  add_stream_methods(methods);
  add_memory_methods(methods);
  add_copy_methods(methods);
  add_virtual_memory_methods(methods);
  add_callback_methods(methods);
}

// Adds a module with the methods of a table to another module, as the attribute `name`; false with
// an exception set.
bool add_module(PyObject* to, const char* name, const char* full_name, void (*add)(method_table&)) {
  PyObject* const made = PyModule_New(full_name);
  if (made == nullptr) return false;
  const bool complete = PyModule_AddFunctions(made, make_method_table(add)) == 0 &&
                        PyModule_AddObject(to, name, made) == 0;
  if (!complete) Py_DECREF(made);
  return complete;
}

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "acl._native", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__native() {
  PyObject* const made = PyModule_Create(&definition);
  if (made == nullptr) return nullptr;
  if (add_module(made, "root", "acl", add_root_methods) &&
      add_module(made, "rt", "acl.rt", add_rt_methods) &&
      add_module(made, "util", "acl.util", add_pointer_methods) &&
      PyModule_AddFunctions(made, make_method_table(add_private_methods)) == 0) {
    return made;
  }
  Py_DECREF(made);
  return nullptr;
}
