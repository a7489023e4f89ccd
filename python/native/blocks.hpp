// Buffers of Convoy's as Python objects.
//
// A block is a piece of one allocation; slices share it, and the last one to go frees it. Blocks
// speak the buffer protocol, __array_interface__ and DLPack, whether their memory came from Convoy
// or from another library by way of DLPack; device blocks do as long as devices are not isolated.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/buffer.hpp>
#include <cstddef>
#include <memory>

namespace convoy::python {

struct block {
  std::shared_ptr<const void> owner;
  std::byte* start = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(start); }
};

struct device_block : block {
  device_id device = {};
};

struct host_block : block {
  bool readonly = false;
};

struct pinned_block : host_block {};

void bind_blocks(nanobind::module_& m);

}  // namespace convoy::python
