// A status as a Python exception.
//
// The exception classes are in convoy/_errors.py; they get the code, the sentence, and the item,
// side and address of the status.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/status.hpp>
#include <cstdint>
#include <utility>

namespace convoy::python {

// `cause` becomes the __cause__ of the exception; null for none.
[[noreturn]] void raise(const status& outcome, const nanobind::object& cause = {});

// The exception of a host function that threw is the cause; `stream` is the handle of its stream.
void expect(const status& outcome);
void expect(const status& outcome, std::uint64_t stream);

template <class T>
T expect(result<T> made) {
  if (!made) raise(made.error());
  return *std::move(made);
}

}  // namespace convoy::python
