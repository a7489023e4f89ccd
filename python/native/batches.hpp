// A batch as Python gives it, and as the engine takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/batch.hpp>
#include <cstddef>
#include <vector>

#include "region.hpp"

namespace convoy::python {

// One column of a batch: an array of 64-bit numbers that is used where it is, or a sequence whose
// items are read one by one. Either way it must outlive the call, and `held` what it points to
// must outlive the copies.
template <class T>
struct column {
  std::span<const T> values = {};
  std::vector<T> own = {};
  nanobind::object held = {};
};

struct end_column {
  column<void*> starts;
  std::vector<std::size_t> sizes = {};  // empty when addresses were given
};

class batch_input {
 public:
  // `sizes` is None, an int for all, or a column of its own. Raises what is wrong, with the item.
  batch_input(nanobind::handle dsts, nanobind::handle srcs, nanobind::handle sizes);

  [[nodiscard]] batch_view view() const;

  // All that must live until the batch has landed; None when the caller gave bare addresses.
  [[nodiscard]] nanobind::object to_keep() const;

 private:
  void read_sizes(nanobind::handle sizes);
  void take_sizes_of_ends();
  void check_against_sources() const;

  end_column dsts_;
  end_column srcs_;
  column<std::size_t> sizes_;
};

}  // namespace convoy::python
