// acl.rt: Python functions that a stream has called.

#include <acl/acl.h>

#include "tables.hpp"

namespace convoy::python {
namespace {

// What a callback needs, from launch_callback to the call.
struct callback {
  PyObject* function;
  PyObject* argument;
};

void forget(callback* what) {
  Py_DECREF(what->function);
  Py_DECREF(what->argument);
  delete what;
}

// Runs in the thread that processes reports; an exception goes to sys.unraisablehook.
void run(void* given) {
  auto* const what = static_cast<callback*>(given);
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const answer = PyObject_CallFunctionObjArgs(what->function, what->argument, nullptr);
  if (answer == nullptr) PyErr_WriteUnraisable(what->function);
  Py_XDECREF(answer);
  forget(what);
  PyGILState_Release(before);
}

PyObject* launch_callback(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  aclrtCallbackBlockType block = {};
  aclrtStream stream = nullptr;
  if (!has_arguments("launch_callback", given, 4) || !from_python(arguments[2], block) ||
      !from_python(arguments[3], stream)) {
    return nullptr;
  }
  if (PyCallable_Check(arguments[0]) == 0) {
    PyErr_SetString(PyExc_TypeError, "a callback must be callable");
    return nullptr;
  }
  Py_INCREF(arguments[0]);
  Py_INCREF(arguments[1]);
  auto* const what = new callback{arguments[0], arguments[1]};
  const aclError ret = aclrtLaunchCallback(&run, what, block, stream);
  if (ret != ACL_SUCCESS) forget(what);
  return to_python(ret);
}

}  // namespace

void add_callback_rows(table& rows) {
  rows.insert(rows.end(), {
                              row<"subscribe_report", aclrtSubscribeReport>(),
                              waiting_row<"unsubscribe_report", aclrtUnSubscribeReport>(),
                              waiting_row<"process_report", aclrtProcessReport>(),
                              row("launch_callback", &launch_callback),
                          });
}

}  // namespace convoy::python
