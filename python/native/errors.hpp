// A status as a Python exception.
//
// The exception classes are in convoy/_errors.py; they get the code, the sentence, and the item,
// side and address of the status.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/status.hpp>
#include <utility>

namespace convoy::python {

[[noreturn]] void raise(const status& outcome);

inline void expect(const status& outcome) {
  if (!outcome.ok()) raise(outcome);
}

template <class T>
T expect(result<T> made) {
  if (!made) raise(made.error());
  return *std::move(made);
}

}  // namespace convoy::python
