// Convoy's buffers as Python objects.
//
// A buffer object is a slice of one allocation; slices share the allocation, and the last one frees
// it. Slices implement the buffer protocol, __array_interface__ and DLPack, whether their memory
// came from Convoy or from another library through DLPack; device slices only while devices are not
// isolated. A view that another library holds through one of these protocols shares the allocation
// too, so close() never frees memory that is in use.
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

  [[nodiscard]] bool closed() const { return owner == nullptr; }
  // Drops this object's share of the allocation.
  void close() {
    owner.reset();
    start = nullptr;
    bytes = 0;
  }

  [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(start); }
};

inline constexpr const char* is_closed = "the buffer is closed";

inline void expect_open(const buffer_slice& slice) {
  if (slice.closed()) throw nanobind::value_error(is_closed);
}

struct device_slice : buffer_slice {
  device_id device = {};
};

struct host_slice : buffer_slice {
  bool readonly = false;
};

struct pinned_slice : host_slice {};

}  // namespace convoy::python
