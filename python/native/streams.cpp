#include "streams.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <convoy/device.hpp>
#include <string_view>

#include "batches.hpp"
#include "bell.hpp"
#include "errors.hpp"
#include "host_function.hpp"
#include "in_flight.hpp"
#include "waiting.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// Batches of more copies take long enough to check that other Python threads should run meanwhile.
constexpr std::size_t short_batch = 256;

class python_stream {
 public:
  explicit python_stream(std::shared_ptr<lane> on) : lane_(std::move(on)) {}

  [[nodiscard]] stream_ref get() const { return on().stream(); }
  [[nodiscard]] lane& on() const {
    if (!lane_) throw nb::value_error("the stream is closed");
    return *lane_;
  }
  [[nodiscard]] bool closed() const { return lane_ == nullptr; }
  void close() { lane_.reset(); }

 private:
  std::shared_ptr<lane> lane_;
};

python_stream make_python_stream(int device, bool blocking, int priority) {
  return python_stream(lane::owning(expect(make_stream(device_id{device}, {blocking, priority}))));
}

python_stream default_stream(int device) {
  return python_stream(lane::borrowing(expect(convoy::device(device_id{device}).default_stream())));
}

source_access order_named(std::string_view name) {
  if (name == "stream") return source_access::stream;
  if (name == "during_call") return source_access::during_call;
  if (name == "any") return source_access::any;
  throw nb::value_error("order is 'stream', 'during_call' or 'any'");
}

result<ticket> submit_without_gil(stream_ref to, const batch_view& work) {
  const nb::gil_scoped_release others_run;
  return submit(to, work);
}

std::uint64_t copy_batch(const python_stream& self, nb::handle dsts, nb::handle srcs,
                         nb::handle sizes, const char* order, nb::handle keep) {
  lane& on = self.on();
  const attribute_run run{0, {.order = order_named(order)}};
  const batch_input input(dsts, srcs, sizes);
  batch_view work = input.view();
  work.runs = {&run, 1};

  const bool quick = run.attrs.order == source_access::stream && work.dsts.size() <= short_batch;
  const ticket at =
      expect(quick ? submit(on.stream(), work) : submit_without_gil(on.stream(), work));
  if (const nb::object ends = input.to_keep(); !ends.is_none()) on.keep(at, ends);
  if (!keep.is_none()) on.keep(at, nb::borrow(keep));
  on.release_landed();
  return number(at);
}

// An end of a copy, and the export of its buffer where there is one.
nb::object end_to_keep(nb::handle object, const region& of) {
  return of.held ? nb::object(nb::make_tuple(object, of.held)) : nb::borrow(object);
}

// One copy, without the lists of a batch.
std::uint64_t copy_one(const python_stream& self, nb::handle dst, nb::handle src,
                       std::optional<std::size_t> bytes) {
  lane& on = self.on();
  const region to = writable_region_of(dst.ptr());
  const region from = region_of(src.ptr());
  const std::size_t wanted = bytes.value_or(from.bytes == unknown_size ? to.bytes : from.bytes);
  if (wanted == unknown_size) throw nb::type_error("two addresses do not tell a size; pass one");
  if (wanted > to.bytes) raise({errc::size_exceeds_capacity, copy_side::destination, {}, to.start});
  if (wanted > from.bytes) raise({errc::leaves_allocation, copy_side::source, {}, from.start});

  const ticket at = expect(submit(on.stream(), copy{to.start, from.start, wanted}));
  on.keep(at, nb::make_tuple(end_to_keep(dst, to), end_to_keep(src, from)));
  on.release_landed();
  return number(at);
}

std::uint64_t fill_region(const python_stream& self, nb::handle dst, std::uint32_t value,
                          std::uint8_t unit) {
  lane& on = self.on();
  const region to = writable_region_of(dst.ptr());
  if (to.bytes == unknown_size) throw nb::type_error("an address does not tell a size");
  const ticket at = expect(fill(on.stream(), to.start, to.bytes, {value, unit}));
  on.keep(at, end_to_keep(dst, to));
  return number(at);
}

element element_named(std::string_view name) {
  static constexpr std::array names{"int8",    "int16",    "int32",  "uint32",
                                    "float16", "bfloat16", "float32"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<element>(found - names.begin());
  throw nb::value_error("dtype is int8, int16, int32, uint32, float16, bfloat16 or float32");
}

reduce_kind kind_named(std::string_view name) {
  if (name == "sum") return reduce_kind::sum;
  if (name == "max") return reduce_kind::max;
  if (name == "min") return reduce_kind::min;
  throw nb::value_error("kind is 'sum', 'max' or 'min'");
}

std::uint64_t reduce_region(const python_stream& self, nb::handle dst, nb::handle src,
                            const char* type, const char* kind) {
  lane& on = self.on();
  const region to = writable_region_of(dst.ptr());
  const region from = region_of(src.ptr());
  const std::size_t bytes = from.bytes == unknown_size ? to.bytes : from.bytes;
  if (bytes == unknown_size) throw nb::type_error("two addresses do not tell a size");
  if (bytes > to.bytes) raise({errc::size_exceeds_capacity, copy_side::destination, {}, to.start});

  const ticket at = expect(
      reduce(on.stream(), {to.start, from.start, bytes, kind_named(kind), element_named(type)}));
  on.keep(at, nb::make_tuple(end_to_keep(dst, to), end_to_keep(src, from)));
  return number(at);
}

std::uint64_t copy_described(const python_stream& self, nb::handle descriptor) {
  lane& on = self.on();
  const ticket at = expect(copy_indirect(on.stream(), region_of(descriptor.ptr()).start));
  on.keep(at, nb::borrow(descriptor));
  return number(at);
}

std::uint64_t call_function(const python_stream& self, const nb::callable& function) {
  lane& on = self.on();
  // Borrowed: the lane keeps it until the step has landed, and lets go of it under the GIL.
  PyObject* const borrowed = function.ptr();
  const ticket at = expect(call(on.stream(), [borrowed] { run_on_host_thread(borrowed); }));
  on.keep(at, function);
  return number(at);
}

void synchronize(const python_stream& self, std::optional<double> timeout) {
  lane& on = self.on();
  const status outcome = wait_patiently(
      timeout, [&](std::chrono::nanoseconds most) { return on.stream().synchronize(most); });
  on.release_landed();
  expect(outcome);
}

void synchronize_up_to(const python_stream& self, std::uint64_t last) {
  lane& on = self.on();
  status outcome;
  {
    const nb::gil_scoped_release others_run;
    outcome = on.stream().synchronize(ticket{last});
  }
  on.release_landed();
  expect(outcome);
}

bool is_done(const python_stream& self) {
  const status outcome = self.get().query();
  self.on().release_landed();
  if (outcome.code == errc::not_ready) return false;
  expect(outcome);
  return true;
}

void bind_stream_state(nb::class_<python_stream>& type) {
  type.def_prop_ro("handle", [](const python_stream& self) { return self.get().handle(); })
      .def_prop_ro("device",
                   [](const python_stream& self) { return number(expect(self.get().device())); })
      .def_prop_ro("closed", &python_stream::closed)
      .def_prop_ro("kept", [](const python_stream& self) { return self.on().kept(); })
      .def("close", &python_stream::close)
      .def("done", &is_done)
      .def("landed", [](const python_stream& self,
                        std::uint64_t at) { return expect(self.get().landed(ticket{at})); })
      .def("synchronize", &synchronize, nb::arg("timeout").none())
      .def("synchronize_up_to", &synchronize_up_to)
      .def("ring", [](const python_stream& self, const bell& ringing,
                      std::uint64_t at) { ringing.ring_after(self.get(), ticket{at}); })
      .def("abort", [](const python_stream& self) { expect(self.get().abort()); })
      .def("clear_error", [](const python_stream& self) { expect(self.get().clear_error()); });
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<bell>(m, "Bell").def(nb::init<>()).def("fileno", &bell::descriptor);

  auto type = nb::class_<python_stream>(m, "Stream");
  bind_stream_state(type);
  type.def("copy_batch", &copy_batch, nb::arg("dsts"), nb::arg("srcs"), nb::arg("sizes").none(),
           nb::arg("order"), nb::arg("keep").none())
      .def("copy", &copy_one, nb::arg("dst"), nb::arg("src"), nb::arg("nbytes").none())
      .def("fill", &fill_region)
      .def("reduce", &reduce_region)
      .def("copy_indirect", &copy_described)
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
