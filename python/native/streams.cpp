#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <convoy/device.hpp>
#include <string_view>

#include "arguments.hpp"
#include "batches.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "host_function.hpp"
#include "kept_objects.hpp"
#include "landing_fd.hpp"
#include "released_gil.hpp"
#include "waiting.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// Validation of a longer batch takes long enough to release the GIL meanwhile.
constexpr std::size_t short_batch = 256;

class python_stream {
 public:
  explicit python_stream(std::shared_ptr<kept_objects> kept) : kept_objects_(std::move(kept)) {}

  [[nodiscard]] stream_ref get() const { return kept().stream(); }
  [[nodiscard]] kept_objects& kept() const {
    if (!kept_objects_) throw nb::value_error("the stream is closed");
    return *kept_objects_;
  }
  [[nodiscard]] bool closed() const { return kept_objects_ == nullptr; }
  void close() { kept_objects_.reset(); }

 private:
  std::shared_ptr<kept_objects> kept_objects_;
};

python_stream make_python_stream(int device, bool blocking, int priority) {
  return python_stream(
      kept_objects::owning(expect(make_stream(device_id{device}, {blocking, priority}))));
}

python_stream default_stream(int device) {
  return python_stream(
      kept_objects::borrowing(expect(convoy::device(device_id{device}).default_stream())));
}

source_access parse_order(std::string_view name) {
  if (name == "stream") return source_access::stream;
  if (name == "during_call") return source_access::during_call;
  if (name == "any") return source_access::any;
  throw nb::value_error("order must be 'stream', 'during_call' or 'any'");
}

result<ticket> submit_without_gil(stream_ref to, const batch_view& work) {
  const released_gil without_gil;
  return submit(to, work);
}

std::uint64_t copy_batch(const python_stream& self, nb::handle dsts, nb::handle srcs,
                         nb::handle sizes, nb::handle order, nb::handle keep_alive) {
  kept_objects& kept = self.kept();
  const attribute_run run{0, {.order = parse_order(to_text(order, "order"))}};
  const batch_input input(dsts, srcs, sizes);
  batch_view work = input.view();
  work.runs = {&run, 1};

  const bool quick = run.attrs.order == source_access::stream && work.dsts.size() <= short_batch;
  const ticket position =
      expect(quick ? submit(kept.stream(), work) : submit_without_gil(kept.stream(), work));
  if (const nb::object objects = input.objects_to_keep(); !objects.is_none())
    kept.add(position, objects);
  if (!keep_alive.is_none()) kept.add(position, nb::borrow(keep_alive));
  kept.release_landed();
  return number(position);
}

// The object of a region, and the export of its buffer where there is one.
nb::object object_to_keep(nb::handle object, const region& memory) {
  return memory.exported ? nb::object(nb::make_tuple(object, memory.exported)) : nb::borrow(object);
}

// One copy, without building the arrays of a batch.
std::uint64_t copy_one(const python_stream& self, nb::handle dst, nb::handle src,
                       nb::handle bytes) {
  kept_objects& kept = self.kept();
  const region to = writable_region_of(dst.ptr());
  const region from = region_of(src.ptr());
  const std::size_t size = to_optional_size(bytes, "nbytes")
                               .value_or(from.bytes == unknown_size ? to.bytes : from.bytes);
  if (size == unknown_size) throw nb::type_error("two addresses have no size; pass nbytes");
  if (size > to.bytes) raise({errc::size_exceeds_capacity, copy_side::destination, {}, to.start});
  if (size > from.bytes) raise({errc::leaves_allocation, copy_side::source, {}, from.start});

  const ticket position = expect(submit(kept.stream(), copy{to.start, from.start, size}));
  kept.add(position, nb::make_tuple(object_to_keep(dst, to), object_to_keep(src, from)));
  kept.release_landed();
  return number(position);
}

std::uint64_t fill_region(const python_stream& self, nb::handle dst, std::uint32_t value,
                          std::uint8_t unit) {
  kept_objects& kept = self.kept();
  const region to = writable_region_of(dst.ptr());
  if (to.bytes == unknown_size) throw nb::type_error("an address has no size");
  const ticket position = expect(fill(kept.stream(), to.start, to.bytes, {value, unit}));
  kept.add(position, object_to_keep(dst, to));
  return number(position);
}

element parse_element(std::string_view name) {
  static constexpr std::array names{"int8",    "int16",    "int32",  "uint32",
                                    "float16", "bfloat16", "float32"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<element>(found - names.begin());
  throw nb::value_error("dtype must be int8, int16, int32, uint32, float16, bfloat16 or float32");
}

reduce_kind parse_kind(std::string_view name) {
  if (name == "sum") return reduce_kind::sum;
  if (name == "max") return reduce_kind::max;
  if (name == "min") return reduce_kind::min;
  throw nb::value_error("kind must be 'sum', 'max' or 'min'");
}

std::uint64_t reduce_region(const python_stream& self, nb::handle dst, nb::handle src,
                            nb::handle type, nb::handle kind) {
  kept_objects& kept = self.kept();
  const region to = writable_region_of(dst.ptr());
  const region from = region_of(src.ptr());
  const std::size_t bytes = from.bytes == unknown_size ? to.bytes : from.bytes;
  if (bytes == unknown_size) throw nb::type_error("two addresses have no size");
  if (bytes > to.bytes) raise({errc::size_exceeds_capacity, copy_side::destination, {}, to.start});

  const ticket position =
      expect(reduce(kept.stream(), {to.start, from.start, bytes, parse_kind(to_text(kind, "kind")),
                                    parse_element(to_text(type, "dtype"))}));
  kept.add(position, nb::make_tuple(object_to_keep(dst, to), object_to_keep(src, from)));
  return number(position);
}

std::uint64_t copy_by_descriptor(const python_stream& self, nb::handle descriptor) {
  kept_objects& kept = self.kept();
  const ticket position = expect(copy_indirect(kept.stream(), region_of(descriptor.ptr()).start));
  kept.add(position, nb::borrow(descriptor));
  return number(position);
}

std::uint64_t call_function(const python_stream& self, nb::handle function) {
  kept_objects& kept = self.kept();
  if (PyCallable_Check(function.ptr()) == 0) raise_wrong_type(function, "function", "callable");
  // Borrowed: kept_objects owns it until the step has landed, and releases it under the GIL.
  PyObject* const borrowed = function.ptr();
  const stream_ref stream = kept.stream();
  const ticket position =
      expect(call(stream, [borrowed, stream] { run_on_host_thread(borrowed, stream.handle()); }));
  kept.add(position, nb::borrow(function));
  return number(position);
}

void synchronize(const python_stream& self, std::optional<double> timeout) {
  kept_objects& kept = self.kept();
  const status outcome = wait_interruptibly(
      timeout, [&](std::chrono::nanoseconds limit) { return kept.stream().synchronize(limit); });
  kept.release_landed();
  expect(outcome, kept.stream().handle());
}

void synchronize_up_to(const python_stream& self, std::uint64_t last) {
  kept_objects& kept = self.kept();
  status outcome;
  {
    const released_gil without_gil;
    outcome = kept.stream().synchronize(ticket{last});
  }
  kept.release_landed();
  expect(outcome, kept.stream().handle());
}

bool is_done(const python_stream& self) {
  const status outcome = self.get().query();
  self.kept().release_landed();
  if (outcome.code == errc::not_ready) return false;
  expect(outcome, self.get().handle());
  return true;
}

// A cleared error has no cause any more.
void clear_error(const python_stream& self) {
  expect(self.get().clear_error());
  forget_exception(self.get().handle());
}

void bind_stream_state(nb::class_<python_stream>& type) {
  type.def_prop_ro("handle", [](const python_stream& self) { return self.get().handle(); })
      .def_prop_ro("device",
                   [](const python_stream& self) { return number(expect(self.get().device())); })
      .def_prop_ro("closed", &python_stream::closed)
      .def_prop_ro("kept_count", [](const python_stream& self) { return self.kept().size(); })
      .def("close", &python_stream::close)
      .def("done", &is_done)
      .def("landed",
           [](const python_stream& self, std::uint64_t position) {
             return expect(self.get().landed(ticket{position}));
           })
      .def("synchronize", &synchronize, nb::arg("timeout").none())
      .def("synchronize_up_to", &synchronize_up_to)
      .def("signal_after",
           [](const python_stream& self, const landing_fd& descriptor, std::uint64_t position) {
             descriptor.signal_after(self.get(), ticket{position});
           })
      .def("abort", [](const python_stream& self) { expect(self.get().abort()); })
      .def("clear_error", &clear_error);
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<landing_fd>(m, "LandingFd").def(nb::init<>()).def("fileno", &landing_fd::fileno);

  auto type = nb::class_<python_stream>(m, "Stream");
  bind_stream_state(type);
  type.def("copy_batch", &copy_batch, nb::arg("dsts").none(), nb::arg("srcs").none(),
           nb::arg("sizes").none(), nb::arg("order").none(), nb::arg("keep_alive").none())
      .def("copy", &copy_one, nb::arg("dst").none(), nb::arg("src").none(),
           nb::arg("nbytes").none())
      .def("fill", &fill_region)
      .def("reduce", &reduce_region)
      .def("copy_indirect", &copy_by_descriptor)
      .def("call", &call_function)
      .def("record",
           [](const python_stream& self, const event& reached) {
             return number(expect(record(self.get(), reached)));
           })
      .def("wait", [](const python_stream& self, const event& awaited) {
        return number(expect(wait(self.get(), awaited)));
      });

  m.def("stream", &make_python_stream, nb::arg("device"), nb::arg("blocking"), nb::arg("priority"));
  m.def("default_stream", &default_stream, nb::arg("device"));
}

}  // namespace convoy::python
