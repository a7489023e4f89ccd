// acl.rt: Python functions that a stream has called.

#include <acl/acl.h>

#include <utility>

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

// The function that hears of steps that fail; touched with the GIL held.
PyObject* exception_function = nullptr;

// Runs in the thread that saw the step fail.
void tell_exception(aclrtExceptionInfo* info) {
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const function = exception_function;
  PyObject* const address = PyLong_FromVoidPtr(info);
  if (function != nullptr && address != nullptr) {
    Py_INCREF(function);
    PyObject* const answer = PyObject_CallFunctionObjArgs(function, address, nullptr);
    if (answer == nullptr) PyErr_WriteUnraisable(function);
    Py_XDECREF(answer);
    Py_DECREF(function);
  }
  Py_XDECREF(address);
  PyErr_Clear();
  PyGILState_Release(before);
}

// Waits for calls of the function before, which need the GIL.
aclError set_exception_callback(aclrtExceptionInfoCallback callback) {
  return call_with<gil::released>([&] { return aclrtSetExceptionInfoCallback(callback); });
}

PyObject* set_exception_info_callback(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  if (!has_arguments("set_exception_info_callback", given, 1)) return nullptr;
  const bool wanted = arguments[0] != Py_None;
  if (wanted && PyCallable_Check(arguments[0]) == 0) {
    PyErr_SetString(PyExc_TypeError, "a callback must be callable, or None");
    return nullptr;
  }
  aclError ret = set_exception_callback(nullptr);
  PyObject* const next = wanted ? arguments[0] : nullptr;
  Py_XINCREF(next);
  PyObject* const before = std::exchange(exception_function, next);
  if (ret == ACL_SUCCESS && wanted) ret = set_exception_callback(&tell_exception);
  Py_XDECREF(before);
  return to_python(ret);
}

}  // namespace

void add_callback_rows(table& rows) {
  rows.insert(rows.end(),
              {
                  row<"subscribe_report", aclrtSubscribeReport>(),
                  waiting_row<"unsubscribe_report", aclrtUnSubscribeReport>(),
                  waiting_row<"process_report", aclrtProcessReport>(),
                  row("launch_callback", &launch_callback),
                  row("set_exception_info_callback", &set_exception_info_callback),
                  row<"get_task_id_from_exception_info", aclrtGetTaskIdFromExceptionInfo>(),
                  row<"get_stream_id_from_exception_info", aclrtGetStreamIdFromExceptionInfo>(),
                  row<"get_thread_id_from_exception_info", aclrtGetThreadIdFromExceptionInfo>(),
                  row<"get_device_id_from_exception_info", aclrtGetDeviceIdFromExceptionInfo>(),
                  row<"get_error_code_from_exception_info", aclrtGetErrorCodeFromExceptionInfo>(),
              });
}

}  // namespace convoy::python
