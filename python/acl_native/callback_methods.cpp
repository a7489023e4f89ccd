// acl.rt: Python functions that a stream calls.

#include <acl/acl.h>

#include <utility>

#include "method_tables.hpp"

namespace convoy::python {
namespace {

// Owns the function and its argument from launch_callback to the call.
struct callback {
  PyObject* function;
  PyObject* argument;
};

void destroy(callback* pending) {
  Py_DECREF(pending->function);
  Py_DECREF(pending->argument);
  delete pending;
}

// Runs in the thread that processes reports; an exception goes to sys.unraisablehook.
void run(void* argument) {
  auto* const pending = static_cast<callback*>(argument);
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const returned =
      PyObject_CallFunctionObjArgs(pending->function, pending->argument, nullptr);
  if (returned == nullptr) PyErr_WriteUnraisable(pending->function);
  Py_XDECREF(returned);
  destroy(pending);
  PyGILState_Release(before);
}

PyObject* launch_callback(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  PyObject* function = nullptr;
  PyObject* argument = nullptr;
  aclrtCallbackBlockType block = {};
  aclrtStream stream = nullptr;
  if (!read_arguments("launch_callback", {arguments, argc}, function, argument, block, stream)) {
    return nullptr;
  }
  if (PyCallable_Check(function) == 0) {
    PyErr_SetString(PyExc_TypeError, "a callback must be callable");
    return nullptr;
  }
  Py_INCREF(function);
  Py_INCREF(argument);
  auto* const pending = new callback{function, argument};
  const aclError ret = aclrtLaunchCallback(&run, pending, block, stream);
  if (ret != ACL_SUCCESS) destroy(pending);
  return to_python(ret);
}

// Called for every failed step. Guarded by the GIL.
PyObject* exception_function = nullptr;

// Runs in the thread that saw the step fail.
void call_exception_function(aclrtExceptionInfo* info) {
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject* const function = exception_function;
  PyObject* const address = PyLong_FromVoidPtr(info);
  if (function != nullptr && address != nullptr) {
    Py_INCREF(function);
    PyObject* const returned = PyObject_CallFunctionObjArgs(function, address, nullptr);
    if (returned == nullptr) PyErr_WriteUnraisable(function);
    Py_XDECREF(returned);
    Py_DECREF(function);
  }
  Py_XDECREF(address);
  PyErr_Clear();
  PyGILState_Release(before);
}

// Returns after running calls of the previous callback have ended; those need the GIL.
aclError set_exception_callback(aclrtExceptionInfoCallback callback) {
  return call_with<gil::released>([&] { return aclrtSetExceptionInfoCallback(callback); });
}

PyObject* set_exception_info_callback(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  PyObject* function = nullptr;
  if (!read_arguments("set_exception_info_callback", {arguments, argc}, function)) return nullptr;
  const bool wanted = function != Py_None;
  if (wanted && PyCallable_Check(function) == 0) {
    PyErr_SetString(PyExc_TypeError, "a callback must be callable, or None");
    return nullptr;
  }
  aclError ret = set_exception_callback(nullptr);
  PyObject* const next = wanted ? function : nullptr;
  Py_XINCREF(next);
  PyObject* const before = std::exchange(exception_function, next);
  if (ret == ACL_SUCCESS && wanted) ret = set_exception_callback(&call_exception_function);
  Py_XDECREF(before);
  return to_python(ret);
}

}  // namespace

void add_callback_methods(method_table& methods) {
  methods.insert(
      methods.end(),
      {
          method<"subscribe_report", aclrtSubscribeReport>(),
          blocking_method<"unsubscribe_report", aclrtUnSubscribeReport>(),
          blocking_method<"process_report", aclrtProcessReport>(),
          method("launch_callback", &launch_callback),
          method("set_exception_info_callback", &set_exception_info_callback),
          method<"get_task_id_from_exception_info", aclrtGetTaskIdFromExceptionInfo>(),
          method<"get_stream_id_from_exception_info", aclrtGetStreamIdFromExceptionInfo>(),
          method<"get_thread_id_from_exception_info", aclrtGetThreadIdFromExceptionInfo>(),
          method<"get_device_id_from_exception_info", aclrtGetDeviceIdFromExceptionInfo>(),
          method<"get_error_code_from_exception_info", aclrtGetErrorCodeFromExceptionInfo>(),
      });
}

}  // namespace convoy::python
