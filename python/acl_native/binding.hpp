// C functions as Python functions, one method each.
//
// A method has a name, the C function, and the positions of its output parameters. The other
// parameters are positional arguments; the returned tuple holds the outputs in the order of the C
// parameters and the C result last, or the C result alone is returned. Handles, pointers and sizes
// are ints.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace convoy::python {

// A string literal as a template argument.
template <std::size_t N>
struct fixed_string {
  constexpr fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i != N; ++i) characters[i] = literal[i];
  }
  char characters[N] = {};
};

// Whether the GIL is released during the C call.
enum class gil : bool { held, released };

template <std::size_t... Positions>
struct outputs {
  static constexpr bool has(std::size_t position) { return ((position == Positions) || ...); }
  static constexpr std::size_t count = sizeof...(Positions);
};

// Converts an int, or an object with __index__. Python 3.9 would convert a float as well.
template <class Number>
bool read_integer(PyObject* object, Number (*convert)(PyObject*), Number& value) {
  if (PyLong_Check(object)) {
    value = convert(object);
  } else {
    PyObject* const integer = PyNumber_Index(object);
    if (integer == nullptr) return false;
    value = convert(integer);
    Py_DECREF(integer);
  }
  return value != static_cast<Number>(-1) || PyErr_Occurred() == nullptr;
}

// False with an exception set when the object is of another type. A PyObject* is borrowed as it is.
template <class T>
bool from_python(PyObject* object, T& value) {
  if constexpr (std::is_same_v<T, PyObject*>) {
    value = object;
    return true;
  } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    value = const_cast<char*>(PyUnicode_AsUTF8(object));
    return value != nullptr;
  } else if constexpr (std::is_pointer_v<T>) {
    unsigned long read = 0;
    if (!read_integer(object, PyLong_AsUnsignedLongMask, read)) return false;
    value = reinterpret_cast<T>(read);
    return true;
  } else if constexpr (std::is_unsigned_v<T>) {
    unsigned long read = 0;
    if (!read_integer(object, PyLong_AsUnsignedLongMask, read)) return false;
    value = static_cast<T>(read);
    return true;
  } else {
    long read = 0;
    if (!read_integer(object, PyLong_AsLong, read)) return false;
    if (read < INT_MIN || read > INT_MAX) {
      PyErr_SetString(PyExc_OverflowError, "the number does not fit into 32 bits");
      return false;
    }
    value = static_cast<T>(read);
    return true;
  }
}

template <class T>
PyObject* to_python(T value) {
  if constexpr (std::is_same_v<T, const char*>) {
    if (value == nullptr) Py_RETURN_NONE;
    return PyUnicode_FromString(value);
  } else if constexpr (std::is_pointer_v<T>) {
    return PyLong_FromUnsignedLong(reinterpret_cast<unsigned long>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return PyFloat_FromDouble(static_cast<double>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    return PyLong_FromUnsignedLong(value);
  } else {
    return PyLong_FromLong(static_cast<long>(value));
  }
}

// Takes ownership of the items; null when one of them is null.
template <std::size_t N>
PyObject* make_tuple(std::array<PyObject*, N> items) {
  PyObject* const made = PyTuple_New(N);
  bool complete = made != nullptr;
  for (PyObject* each : items) complete &= each != nullptr;
  if (!complete) {
    for (PyObject* each : items) Py_XDECREF(each);
    Py_XDECREF(made);
    return nullptr;
  }
  for (std::size_t i = 0; i != N; ++i) {
    PyTuple_SET_ITEM(made, static_cast<Py_ssize_t>(i), items[i]);
  }
  return made;
}

// The positional arguments of a call.
struct call_arguments {
  PyObject* const* values;
  Py_ssize_t count;
};

bool has_argument_count(const char* name, Py_ssize_t count, Py_ssize_t wanted);

// Converts all arguments of the function `name`; false with an exception set.
template <class... T>
bool read_arguments(const char* name, const call_arguments& given, T&... values) {
  if (!has_argument_count(name, given.count, sizeof...(T))) return false;
  std::size_t next = 0;
  return (from_python(given.values[next++], values) && ...);
}

template <gil Gil, class Call>
auto call_with(const Call& call) {
  if constexpr (Gil == gil::held) {
    return call();
  } else {
    PyThreadState* const state = PyEval_SaveThread();
    const auto result = call();
    PyEval_RestoreThread(state);
    return result;
  }
}

// A parameter during the call: read from the arguments, or written by the C function.
template <class P, bool Output>
struct parameter {
  std::remove_cv_t<P> value = {};
  bool read(PyObject* const* arguments, std::size_t& next) {
    return from_python(arguments[next++], value);
  }
  P pass() { return value; }
};

template <class P>
struct parameter<P, true> {
  std::remove_pointer_t<P> value = {};
  bool read(PyObject* const*, std::size_t&) { return true; }
  P pass() { return &value; }
};

template <fixed_string Name, auto Function, class Outputs, gil Gil,
          class Signature = std::remove_pointer_t<decltype(Function)>>
struct binding;

template <fixed_string Name, auto Function, class Outputs, gil Gil, class Result, class... Params>
struct binding<Name, Function, Outputs, Gil, Result(Params...)> {
  static constexpr auto all = std::index_sequence_for<Params...>{};

  static PyObject* call(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
    if (!has_argument_count(Name.characters, argc, sizeof...(Params) - Outputs::count))
      return nullptr;
    return call(arguments, all);
  }

  template <std::size_t... I>
  static PyObject* call([[maybe_unused]] PyObject* const* arguments, std::index_sequence<I...>) {
    std::tuple<parameter<Params, Outputs::has(I)>...> parameters;
    [[maybe_unused]] std::size_t next = 0;
    if (!(std::get<I>(parameters).read(arguments, next) && ...)) return nullptr;
    const Result result =
        call_with<Gil>([&] { return Function(std::get<I>(parameters).pass()...); });
    if constexpr (Outputs::count == 0) {
      return to_python(result);
    } else {
      std::array<PyObject*, Outputs::count + 1> items;
      std::size_t at = 0;
      ((Outputs::has(I) ? void(items[at++] = to_python(std::get<I>(parameters).value)) : void()),
       ...);
      items[at] = to_python(result);
      return make_tuple(items);
    }
  }
};

using fastcall_function = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);

inline PyMethodDef method(const char* name, fastcall_function function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL, nullptr};
}

// The method of a C function.
template <fixed_string Name, auto Function, class Outputs = outputs<>, gil Gil = gil::held>
PyMethodDef method() {
  return method(Name.characters, &binding<Name, Function, Outputs, Gil>::call);
}

// The method of a C function that can block: it releases the GIL.
template <fixed_string Name, auto Function, class Outputs = outputs<>>
PyMethodDef blocking_method() {
  return method<Name, Function, Outputs, gil::released>();
}

}  // namespace convoy::python
