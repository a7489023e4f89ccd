// Converts the arguments of copy_batch() to a batch_view.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/batch.hpp>
#include <cstddef>
#include <vector>

#include "region.hpp"

namespace convoy::python {

// One column of a batch: an array of 64-bit integers, used in place, or a sequence whose items are
// converted into `storage`. The column must outlive the call; `kept` must outlive the copies.
template <class T>
struct column {
  std::span<const T> values = {};
  std::vector<T> storage = {};
  nanobind::object kept = {};
};

// The sources or the destinations.
struct region_column {
  column<void*> starts;
  std::vector<std::size_t> sizes = {};  // of the objects; empty when addresses were given
};

class batch_input {
 public:
  // `sizes` is None, one int for all copies, or a column. Raises TypeError or ValueError with the
  // index of the item.
  batch_input(nanobind::handle dsts, nanobind::handle srcs, nanobind::handle sizes);

  [[nodiscard]] batch_view view() const;

  // The objects that must live until the batch has landed; None when only addresses were given.
  [[nodiscard]] nanobind::object objects_to_keep() const;

 private:
  void read_sizes(nanobind::handle sizes);
  void use_region_sizes();
  void check_source_sizes() const;

  region_column dsts_;
  region_column srcs_;
  column<std::size_t> sizes_;
};

}  // namespace convoy::python
