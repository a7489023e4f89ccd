#include "buffers.hpp"

#include <nanobind/ndarray.h>

#include <convoy/configuration.hpp>

#include "arguments.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "region.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

template <class Slice>
Slice owning(buffer memory) {
  const auto owner = std::make_shared<const buffer>(std::move(memory));
  Slice made;
  made.owner = owner;
  made.start = owner->data();
  made.bytes = owner->size();
  return made;
}

device_slice make_device_slice(int device, nb::handle bytes) {
  auto made =
      owning<device_slice>(expect(make_device_buffer(device_id{device}, to_size(bytes, "nbytes"))));
  made.device = device_id{device};
  return made;
}

pinned_slice make_pinned_slice(nb::handle bytes) {
  return owning<pinned_slice>(expect(make_pinned_buffer(to_size(bytes, "nbytes"))));
}

template <class Tensor>
host_slice slice_of(const Tensor& tensor, bool readonly) {
  host_slice made;
  made.owner = std::make_shared<const Tensor>(tensor);
  made.start = static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(tensor.data())));
  made.bytes = tensor.nbytes();
  made.readonly = readonly;
  return made;
}

// The bytes of a CPU tensor, which the slice keeps alive.
host_slice from_dlpack(nb::handle object) {
  nb::ndarray<nb::device::cpu, nb::c_contig> writable;
  if (nb::try_cast(object, writable, false)) return slice_of(writable, false);
  nb::ndarray<nb::device::cpu, nb::c_contig, nb::ro> readable;
  if (nb::try_cast(object, readable, false)) return slice_of(readable, true);
  throw nb::type_error("not a contiguous tensor in host memory");
}

template <class Slice>
Slice subslice(const Slice& whole, nb::handle index) {
  if (PySlice_Check(index.ptr()) == 0) raise_wrong_type(index, "the index of a buffer", "a slice");
  expect_open(whole);
  const auto [start, stop, step, count] = nb::borrow<nb::slice>(index).compute(whole.bytes);
  static_cast<void>(stop);
  if (step != 1) throw nb::value_error("a buffer slice is contiguous: the step must be 1");
  Slice part = whole;
  part.start += start;
  part.bytes = count;
  return part;
}

// Without isolation device memory is ordinary memory of the process; with it, an access faults.
bool devices_are_isolated() {
  static const bool isolated = expect(setting_value("CONVOY_ISOLATE")) == "1";
  return isolated;
}

constexpr const char* not_accessible =
    "the host cannot access device memory while CONVOY_ISOLATE is set: copy it to a host buffer";

bool host_accessible(const host_slice&) { return true; }
bool host_accessible(const device_slice&) { return !devices_are_isolated(); }

bool is_readonly(const host_slice& slice) { return slice.readonly; }
bool is_readonly(const device_slice&) { return false; }

using shared_owner = std::shared_ptr<const void>;

// The view has its own share of the allocation, in `internal`.
template <class Slice>
int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const auto& slice = *nb::inst_ptr<Slice>(self);
  if (slice.closed() || !host_accessible(slice)) {
    PyErr_SetString(PyExc_BufferError, slice.closed() ? is_closed : not_accessible);
    return -1;
  }
  const int filled =
      PyBuffer_FillInfo(view, self, slice.start, static_cast<Py_ssize_t>(slice.bytes),
                        static_cast<int>(is_readonly(slice)), flags);
  if (filled == 0) view->internal = new shared_owner(slice.owner);
  return filled;
}

void release_buffer(PyObject*, Py_buffer* view) {
  delete static_cast<shared_owner*>(view->internal);
}

template <class Slice>
PyType_Slot buffer_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer<Slice>)},
                              {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                              {0, nullptr}};

// An AttributeError where the host cannot read the memory: libraries then try another protocol.
template <class Slice>
nb::dict array_interface(const Slice& slice) {
  expect_open(slice);
  if (!host_accessible(slice)) throw nb::attribute_error(not_accessible);
  nb::dict made;
  made["version"] = 3;
  made["typestr"] = "|u1";
  made["shape"] = nb::make_tuple(slice.bytes);
  made["data"] = nb::make_tuple(slice.address(), is_readonly(slice));
  return made;
}

// The arguments of newer DLPack versions (stream, device, copy) have no effect on host memory.
template <class Slice>
nb::object to_dlpack(nb::handle_t<Slice> self, const nb::args&, const nb::kwargs&) {
  const auto& slice = *nb::inst_ptr<Slice>(self);
  expect_open(slice);
  if (!host_accessible(slice)) throw nb::buffer_error(not_accessible);
  const nb::capsule share(new shared_owner(slice.owner),
                          [](void* owner) noexcept { delete static_cast<shared_owner*>(owner); });
  return nb::cast(
      nb::ndarray<std::uint8_t, nb::ndim<1>, nb::device::cpu>(slice.start, {slice.bytes}, share));
}

template <class Slice, class... Options>
nb::class_<Slice, Options...>& add_protocols(nb::class_<Slice, Options...>& type) {
  type.def_prop_ro("__array_interface__", &array_interface<Slice>)
      .def("__dlpack__", &to_dlpack<Slice>)
      .def("__dlpack_device__", [](const Slice&) { return nb::make_tuple(1, 0); });
  return type;
}

template <class Slice, class... Options>
nb::class_<Slice, Options...>& add_size(nb::class_<Slice, Options...>& type) {
  type.def_prop_ro("address", &Slice::address, "Address of the first byte.")
      .def_ro("nbytes", &buffer_slice::bytes, "Size in bytes.")
      .def("__len__", [](const Slice& self) { return self.bytes; })
      .def("__getitem__", &subslice<Slice>, "A slice shares the memory and keeps it alive.")
      .def_prop_ro("closed", [](const Slice& self) { return self.closed(); })
      .def(
          "close", [](Slice& self) { self.close(); },
          "Frees the memory, or leaves that to the last slice or view of it. Copies that were "
          "submitted still land.")
      .def("__enter__", [](nb::handle_t<Slice> self) { return nb::borrow(self); })
      .def("__exit__", [](Slice& self, const nb::args&) { self.close(); });
  return type;
}

}  // namespace

void bind_buffers(nb::module_& m) {
  auto device = nb::class_<device_slice>(m, "DeviceBuffer", nb::is_final(),
                                         nb::type_slots(buffer_slots<device_slice>),
                                         "Memory of a device, as bytes.");
  add_protocols(add_size(device))
      .def_prop_ro("device", [](const device_slice& self) { return number(self.device); })
      .def("__repr__", [](const device_slice& self) -> nb::object {
        if (self.closed()) return nb::str("<convoy.DeviceBuffer: closed>");
        return nb::str("<convoy.DeviceBuffer: {} bytes at {:#x} on device {}>")
            .format(self.bytes, self.address(), number(self.device));
      });

  auto host = nb::class_<host_slice>(m, "HostBuffer", nb::type_slots(buffer_slots<host_slice>),
                                     "Host memory, as bytes.");
  add_protocols(add_size(host))
      .def_ro("readonly", &host_slice::readonly)
      .def("__repr__", [](const host_slice& self) -> nb::object {
        if (self.closed()) return nb::str("<convoy.HostBuffer: closed>");
        return nb::str("<convoy.HostBuffer: {} bytes at {:#x}>").format(self.bytes, self.address());
      });

  auto pinned = nb::class_<pinned_slice, host_slice>(m, "PinnedBuffer", nb::is_final(),
                                                     "Pinned host memory, as bytes.");
  add_size(pinned).def("__repr__", [](const pinned_slice& self) -> nb::object {
    if (self.closed()) return nb::str("<convoy.PinnedBuffer: closed>");
    return nb::str("<convoy.PinnedBuffer: {} bytes at {:#x}>").format(self.bytes, self.address());
  });

  m.def("device_buffer", &make_device_slice, nb::arg("device"), nb::arg("nbytes").none());
  m.def("pinned", &make_pinned_slice, nb::arg("nbytes").none());
  m.def("from_dlpack", &from_dlpack, nb::arg("tensor").none());
}

}  // namespace convoy::python
