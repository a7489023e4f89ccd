#include "batches.hpp"

#include <string>

#include "errors.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

static_assert(sizeof(void*) == 8 && sizeof(std::size_t) == 8);

std::string item_text(std::size_t item, const char* problem) {
  return "item " + std::to_string(item) + ": " + problem;
}

// The same exception, with the item named.
[[noreturn]] void raise_for_item(std::size_t item, nb::builtin_exception& problem) {
  throw nb::type_error(item_text(item, problem.what()).c_str());
}

bool holds_uint64(const Py_buffer& numbers) {
  const std::string_view format = numbers.format == nullptr ? "B" : numbers.format;
  return numbers.ndim == 1 && numbers.itemsize == 8 &&
         (format == "L" || format == "Q" || format == "<Q" || format == "=Q" || format == "@Q" ||
          format == "N" || format == "P");
}

bool is_array(nb::handle object) {
  return !PyList_Check(object.ptr()) && !PyTuple_Check(object.ptr()) &&
         PyObject_CheckBuffer(object.ptr()) != 0;
}

// An array of uint64, used in place.
template <class T>
column<T> read_array(nb::handle array, const char* argument) {
  column<T> made;
  made.kept = nb::steal(PyMemoryView_FromObject(array.ptr()));
  if (!made.kept) throw nb::python_error();
  const Py_buffer& numbers = *PyMemoryView_GET_BUFFER(made.kept.ptr());
  if (!holds_uint64(numbers) || PyBuffer_IsContiguous(&numbers, 'C') == 0) {
    throw nb::type_error((std::string(argument) +
                          ": an array of addresses or sizes must be a contiguous array of uint64; "
                          "to copy the bytes of arrays pass a list")
                             .c_str());
  }
  made.values = {static_cast<const T*>(numbers.buf), static_cast<std::size_t>(numbers.shape[0])};
  return made;
}

nb::object fast_sequence(nb::handle object, const char* argument) {
  const std::string problem = std::string(argument) + " must be a sequence or an array of uint64";
  nb::object items = nb::steal(PySequence_Fast(object.ptr(), problem.c_str()));
  if (!items) throw nb::python_error();
  return items;
}

using region_reader = region (*)(PyObject*);

// The regions of a sequence of objects. A tuple of them is kept: the caller may change the list
// after the call.
region_column read_items(nb::handle sequence, region_reader read, const char* argument) {
  region_column made;
  const nb::object items = nb::steal(PySequence_Tuple(fast_sequence(sequence, argument).ptr()));
  if (!items) throw nb::python_error();
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(items.ptr()));
  nb::object exports;
  made.starts.storage.reserve(count);
  made.sizes.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    try {
      region one = read(PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i)));
      made.starts.storage.push_back(one.start);
      made.sizes.push_back(one.bytes);
      if (!one.exported) continue;
      if (!exports) exports = nb::list();
      nb::borrow<nb::list>(exports).append(one.exported);
    } catch (nb::builtin_exception& problem) {
      raise_for_item(i, problem);
    }
  }
  made.starts.values = made.starts.storage;
  made.starts.kept = exports ? nb::object(nb::make_tuple(items, exports)) : items;
  return made;
}

region_column read_regions(nb::handle object, region_reader read, const char* argument) {
  if (is_array(object)) return {read_array<void*>(object, argument)};
  return read_items(object, read, argument);
}

column<std::size_t> read_sizes_sequence(nb::handle sequence) {
  const nb::object items = fast_sequence(sequence, "sizes");
  column<std::size_t> made;
  PyObject** const each = PySequence_Fast_ITEMS(items.ptr());
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
  for (Py_ssize_t i = 0; i != count; ++i) {
    made.storage.push_back(PyLong_AsSize_t(each[i]));
    if (made.storage.back() == SIZE_MAX && PyErr_Occurred() != nullptr) throw nb::python_error();
  }
  made.values = made.storage;
  return made;
}

}  // namespace

batch_input::batch_input(nb::handle dsts, nb::handle srcs, nb::handle sizes)
    : dsts_(read_regions(dsts, writable_region_of, "dsts")),
      srcs_(read_regions(srcs, region_of, "srcs")) {
  if (dsts_.starts.values.size() != srcs_.starts.values.size()) {
    throw nb::value_error("dsts and srcs differ in length");
  }
  if (dsts_.starts.values.empty()) {
    throw nb::value_error("dsts and srcs are empty: a batch has at least one copy");
  }
  read_sizes(sizes);
  check_source_sizes();
}

void batch_input::read_sizes(nb::handle sizes) {
  if (sizes.is_none()) return use_region_sizes();
  const std::size_t count = dsts_.starts.values.size();
  if (PyLong_Check(sizes.ptr())) {
    sizes_.storage.assign(count, nb::cast<std::size_t>(sizes));
    sizes_.values = sizes_.storage;
  } else {
    sizes_ = is_array(sizes) ? read_array<std::size_t>(sizes, "sizes") : read_sizes_sequence(sizes);
  }
  if (sizes_.values.size() != count) throw nb::value_error("sizes and dsts differ in length");
}

// The size of each copy is that of its source, or of its destination when the source is an address.
void batch_input::use_region_sizes() {
  const std::size_t count = dsts_.starts.values.size();
  sizes_.storage.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t bytes = srcs_.sizes.empty() ? unknown_size : srcs_.sizes[i];
    if (bytes == unknown_size && !dsts_.sizes.empty()) bytes = dsts_.sizes[i];
    if (bytes == unknown_size) {
      throw nb::type_error(item_text(i, "two addresses have no size; pass sizes").c_str());
    }
    sizes_.storage.push_back(bytes);
  }
  sizes_.values = sizes_.storage;
}

// The engine compares sizes with the capacities of the destinations; it does not know the sizes of
// source arrays.
void batch_input::check_source_sizes() const {
  for (std::size_t i = 0; i != srcs_.sizes.size(); ++i) {
    if (sizes_.values[i] <= srcs_.sizes[i]) continue;
    raise({errc::leaves_allocation, copy_side::source, i, srcs_.starts.values[i]});
  }
}

batch_view batch_input::view() const {
  const auto srcs = srcs_.starts.values;
  return {dsts_.starts.values,
          {const_cast<const void* const*>(srcs.data()), srcs.size()},
          sizes_.values,
          dsts_.sizes,
          {}};
}

nb::object batch_input::objects_to_keep() const {
  const bool addresses_only = dsts_.sizes.empty() && srcs_.sizes.empty();
  if (addresses_only) return nb::none();
  return nb::make_tuple(dsts_.starts.kept, srcs_.starts.kept);
}

}  // namespace convoy::python
