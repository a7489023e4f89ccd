#include "blocks.hpp"

#include <nanobind/ndarray.h>

#include <convoy/configuration.hpp>

#include "errors.hpp"
#include "region.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

template <class Block>
Block owning(buffer memory) {
  const auto owner = std::make_shared<const buffer>(std::move(memory));
  Block made;
  made.owner = owner;
  made.start = owner->data();
  made.bytes = owner->size();
  return made;
}

device_block make_device_block(int device, std::size_t bytes) {
  auto made = owning<device_block>(expect(make_device_buffer(device_id{device}, bytes)));
  made.device = device_id{device};
  return made;
}

pinned_block make_pinned_block(std::size_t bytes) {
  return owning<pinned_block>(expect(make_pinned_buffer(bytes)));
}

template <class Tensor>
host_block bytes_of(const Tensor& tensor, bool readonly) {
  host_block made;
  made.owner = std::make_shared<const Tensor>(tensor);
  made.start = static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(tensor.data())));
  made.bytes = tensor.nbytes();
  made.readonly = readonly;
  return made;
}

// The bytes of a CPU tensor, which stays alive as long as they do.
host_block from_dlpack(nb::handle object) {
  nb::ndarray<nb::device::cpu, nb::c_contig> writable;
  if (nb::try_cast(object, writable, false)) return bytes_of(writable, false);
  nb::ndarray<nb::device::cpu, nb::c_contig, nb::ro> readable;
  if (nb::try_cast(object, readable, false)) return bytes_of(readable, true);
  throw nb::type_error("this is no contiguous tensor in host memory");
}

template <class Block>
Block sliced(const Block& whole, const nb::slice& wanted) {
  const auto [start, stop, step, count] = wanted.compute(whole.bytes);
  static_cast<void>(stop);
  if (step != 1) throw nb::value_error("a buffer is sliced in one piece: the step must be 1");
  Block part = whole;
  part.start += start;
  part.bytes = count;
  return part;
}

// In fast mode the memory of devices is the process's own; isolated, a touch ends the process.
bool devices_are_isolated() {
  static const bool isolated = expect(setting_value("CONVOY_ISOLATE")) == "1";
  return isolated;
}

constexpr const char* out_of_reach =
    "the host cannot reach this device's memory while CONVOY_ISOLATE is set: copy it to a buffer "
    "of the host";

bool in_reach(const host_block&) { return true; }
bool in_reach(const device_block&) { return !devices_are_isolated(); }

bool is_readonly(const host_block& of) { return of.readonly; }
bool is_readonly(const device_block&) { return false; }

template <class Block>
int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const auto& of = *nb::inst_ptr<Block>(self);
  if (!in_reach(of)) {
    PyErr_SetString(PyExc_BufferError, out_of_reach);
    return -1;
  }
  return PyBuffer_FillInfo(view, self, of.start, static_cast<Py_ssize_t>(of.bytes),
                           static_cast<int>(is_readonly(of)), flags);
}

template <class Block>
PyType_Slot buffer_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer<Block>)},
                              {0, nullptr}};

// Without reach there is no such attribute, so that others look for another way or give up.
template <class Block>
nb::dict array_interface(const Block& of) {
  if (!in_reach(of)) throw nb::attribute_error(out_of_reach);
  nb::dict made;
  made["version"] = 3;
  made["typestr"] = "|u1";
  made["shape"] = nb::make_tuple(of.bytes);
  made["data"] = nb::make_tuple(of.address(), is_readonly(of));
  return made;
}

// The arguments that newer consumers pass ask for nothing that host memory could not give.
template <class Block>
nb::object to_dlpack(nb::handle_t<Block> self, const nb::args&, const nb::kwargs&) {
  const auto& of = *nb::inst_ptr<Block>(self);
  if (!in_reach(of)) throw nb::buffer_error(out_of_reach);
  return nb::cast(nb::ndarray<std::uint8_t, nb::ndim<1>, nb::device::cpu>(of.start, {of.bytes},
                                                                          nb::borrow(self)));
}

template <class Block, class... Options>
nb::class_<Block, Options...>& with_bytes(nb::class_<Block, Options...>& type) {
  type.def_prop_ro("__array_interface__", &array_interface<Block>)
      .def("__dlpack__", &to_dlpack<Block>)
      .def("__dlpack_device__", [](const Block&) { return nb::make_tuple(1, 0); });
  return type;
}

template <class Block, class... Options>
nb::class_<Block, Options...>& with_size(nb::class_<Block, Options...>& type) {
  type.def_prop_ro("address", &Block::address, "Where the bytes start.")
      .def_ro("nbytes", &block::bytes, "How many bytes there are.")
      .def("__len__", [](const Block& of) { return of.bytes; })
      .def("__getitem__", &sliced<Block>, "A slice shares the memory and keeps it alive.");
  return type;
}

}  // namespace

void bind_blocks(nb::module_& m) {
  auto device = nb::class_<device_block>(m, "DeviceBuffer", nb::is_final(),
                                         nb::type_slots(buffer_slots<device_block>),
                                         "Memory of a device, as bytes.");
  with_bytes(with_size(device))
      .def_prop_ro("device", [](const device_block& of) { return number(of.device); })
      .def("__repr__", [](const device_block& of) {
        return nb::str("<convoy.DeviceBuffer: {} bytes at {:#x} on device {}>")
            .format(of.bytes, of.address(), number(of.device));
      });

  auto host = nb::class_<host_block>(m, "HostBuffer", nb::type_slots(buffer_slots<host_block>),
                                     "Host memory, as bytes.");
  with_bytes(with_size(host))
      .def_ro("readonly", &host_block::readonly)
      .def("__repr__", [](const host_block& of) {
        return nb::str("<convoy.HostBuffer: {} bytes at {:#x}>").format(of.bytes, of.address());
      });

  auto pinned = nb::class_<pinned_block, host_block>(m, "PinnedBuffer", nb::is_final(),
                                                     "Pinned host memory, as bytes.");
  with_size(pinned).def("__repr__", [](const pinned_block& of) {
    return nb::str("<convoy.PinnedBuffer: {} bytes at {:#x}>").format(of.bytes, of.address());
  });

  m.def("device_buffer", &make_device_block, nb::arg("device"), nb::arg("nbytes"));
  m.def("pinned", &make_pinned_block, nb::arg("nbytes"), "Pinned host memory of so many bytes.");
  m.def("from_dlpack", &from_dlpack, nb::arg("tensor"),
        "The bytes of a contiguous CPU tensor of any library that speaks DLPack; no copy is made.");
}

}  // namespace convoy::python
