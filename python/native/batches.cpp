#include "batches.hpp"

#include <string>

#include "errors.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

static_assert(sizeof(void*) == 8 && sizeof(std::size_t) == 8);

std::string item_text(std::size_t item, const char* what) {
  return "item " + std::to_string(item) + ": " + what;
}

// The same exception, with the item named.
[[noreturn]] void raise_for_item(std::size_t item, nb::builtin_exception& problem) {
  throw nb::type_error(item_text(item, problem.what()).c_str());
}

bool holds_unsigned_words(const Py_buffer& numbers) {
  const std::string_view format = numbers.format == nullptr ? "B" : numbers.format;
  return numbers.ndim == 1 && numbers.itemsize == 8 &&
         (format == "L" || format == "Q" || format == "<Q" || format == "=Q" || format == "@Q" ||
          format == "N" || format == "P");
}

bool is_array(nb::handle given) {
  return !PyList_Check(given.ptr()) && !PyTuple_Check(given.ptr()) &&
         PyObject_CheckBuffer(given.ptr()) != 0;
}

// Numbers in an array of uint64, used in place.
template <class T>
column<T> read_array(nb::handle given, const char* what) {
  column<T> made;
  made.held = nb::steal(PyMemoryView_FromObject(given.ptr()));
  if (!made.held) throw nb::python_error();
  const Py_buffer& numbers = *PyMemoryView_GET_BUFFER(made.held.ptr());
  if (!holds_unsigned_words(numbers) || PyBuffer_IsContiguous(&numbers, 'C') == 0) {
    throw nb::type_error((std::string(what) + ": an array here is a contiguous one of uint64; "
                                              "for the bytes of arrays pass a list of them")
                             .c_str());
  }
  made.values = {static_cast<const T*>(numbers.buf), static_cast<std::size_t>(numbers.shape[0])};
  return made;
}

nb::object fast_sequence(nb::handle given, const char* what) {
  const std::string problem = std::string(what) + " is neither a sequence nor an array of uint64";
  nb::object items = nb::steal(PySequence_Fast(given.ptr(), problem.c_str()));
  if (!items) throw nb::python_error();
  return items;
}

using reader = region (*)(PyObject*);

// The items of a sequence. A tuple of them is held: the caller may change the list at once.
end_column read_items(nb::handle given, reader read, const char* what) {
  end_column made;
  const nb::object items = nb::steal(PySequence_Tuple(fast_sequence(given, what).ptr()));
  if (!items) throw nb::python_error();
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(items.ptr()));
  nb::object also_held;
  made.starts.own.reserve(count);
  made.sizes.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    try {
      region one = read(PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i)));
      made.starts.own.push_back(one.start);
      made.sizes.push_back(one.bytes);
      if (!one.held) continue;
      if (!also_held) also_held = nb::list();
      nb::borrow<nb::list>(also_held).append(one.held);
    } catch (nb::builtin_exception& problem) {
      raise_for_item(i, problem);
    }
  }
  made.starts.values = made.starts.own;
  made.starts.held = also_held ? nb::object(nb::make_tuple(items, also_held)) : items;
  return made;
}

end_column read_end(nb::handle given, reader read, const char* what) {
  if (is_array(given)) return {read_array<void*>(given, what)};
  return read_items(given, read, what);
}

column<std::size_t> read_numbers(nb::handle given) {
  const nb::object items = fast_sequence(given, "sizes");
  column<std::size_t> made;
  PyObject** const each = PySequence_Fast_ITEMS(items.ptr());
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
  for (Py_ssize_t i = 0; i != count; ++i) {
    made.own.push_back(PyLong_AsSize_t(each[i]));
    if (made.own.back() == SIZE_MAX && PyErr_Occurred() != nullptr) throw nb::python_error();
  }
  made.values = made.own;
  return made;
}

}  // namespace

batch_input::batch_input(nb::handle dsts, nb::handle srcs, nb::handle sizes)
    : dsts_(read_end(dsts, writable_region_of, "dsts")), srcs_(read_end(srcs, region_of, "srcs")) {
  if (dsts_.starts.values.size() != srcs_.starts.values.size()) {
    throw nb::value_error("dsts and srcs differ in length");
  }
  read_sizes(sizes);
  check_against_sources();
}

void batch_input::read_sizes(nb::handle sizes) {
  if (sizes.is_none()) return take_sizes_of_ends();
  const std::size_t count = dsts_.starts.values.size();
  if (PyLong_Check(sizes.ptr())) {
    sizes_.own.assign(count, nb::cast<std::size_t>(sizes));
    sizes_.values = sizes_.own;
  } else {
    sizes_ = is_array(sizes) ? read_array<std::size_t>(sizes, "sizes") : read_numbers(sizes);
  }
  if (sizes_.values.size() != count) throw nb::value_error("sizes and dsts differ in length");
}

// Each copy is as long as its source, or as its destination when the source is only an address.
void batch_input::take_sizes_of_ends() {
  const std::size_t count = dsts_.starts.values.size();
  sizes_.own.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t bytes = srcs_.sizes.empty() ? unknown_size : srcs_.sizes[i];
    if (bytes == unknown_size && !dsts_.sizes.empty()) bytes = dsts_.sizes[i];
    if (bytes == unknown_size) {
      throw nb::type_error(item_text(i, "two addresses do not tell a size; pass sizes").c_str());
    }
    sizes_.own.push_back(bytes);
  }
  sizes_.values = sizes_.own;
}

// The engine compares sizes with destinations; what it does not know is how long arrays are that
// it reads from.
void batch_input::check_against_sources() const {
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

nb::object batch_input::to_keep() const {
  const bool addresses_only = dsts_.sizes.empty() && srcs_.sizes.empty();
  if (addresses_only) return nb::none();
  return nb::make_tuple(dsts_.starts.held, srcs_.starts.held);
}

}  // namespace convoy::python
