// Convoy's buffers as Python objects.
//
// A buffer object is a slice of one allocation; slices share the allocation, and the last one frees
// it. Slices implement the buffer protocol, __array_interface__ and DLPack, whether their memory
// came from Convoy or from another library through DLPack; device slices only while devices are not
// isolated.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/buffer.hpp>
#include <cstddef>
#include <memory>

namespace convoy::python {

struct buffer_slice {
  std::shared_ptr<const void> owner;
  std::byte* start = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(start); }
};

struct device_slice : buffer_slice {
  device_id device = {};
};

struct host_slice : buffer_slice {
  bool readonly = false;
};

struct pinned_slice : host_slice {};

}  // namespace convoy::python
