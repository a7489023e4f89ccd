// Outcomes as Python exceptions.
//
// The exceptions are classes of convoy/_errors.py; an outcome carries its code, its sentence, and
// the item, side and address it blames over to them.
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
