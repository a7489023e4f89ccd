// acl.rt: allocation, registration and pointer attributes.

#include <acl/acl.h>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

// The value of an attribute: an int, or a dict with one member of the union.
bool read_attribute_value(PyObject* object, aclrtMallocAttrValue& value) {
  if (!PyDict_Check(object)) return from_python(object, value.deviceId);
  for (const char* member : {"moduleId", "deviceId", "vaFlag"}) {
    if (!read_key(object, member, value.deviceId)) return false;
  }
  return true;
}

bool read_attribute(PyObject* object, aclrtMallocAttribute& attribute) {
  if (!is_dict(object, "an attribute of cfg") || !read_key(object, "attr", attribute.attr)) {
    return false;
  }
  PyObject* const value = find_key(object, "value");
  return value == nullptr || read_attribute_value(value, attribute.value);
}

// {"attrs": [{"attr": type, "value": number}, ...]}; None and {} mean no attributes.
bool read_config(PyObject* object, std::vector<aclrtMallocAttribute>& attributes) {
  if (object == Py_None) return true;
  if (!is_dict(object, "cfg")) return false;
  PyObject* const list = find_key(object, "attrs");
  if (list == nullptr) return true;
  return read_items(list, "attrs of cfg", "a list", [&](PyObject* item) {
    return read_attribute(item, attributes.emplace_back());
  });
}

PyObject* malloc_with_cfg(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::size_t size = 0;
  aclrtMemMallocPolicy policy = {};
  PyObject* cfg = nullptr;
  std::vector<aclrtMallocAttribute> attributes;
  if (!read_arguments("malloc_with_cfg", {arguments, argc}, size, policy, cfg) ||
      !read_config(cfg, attributes)) {
    return nullptr;
  }
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  void* made = nullptr;
  const aclError ret =
      call_with<gil::released>([&] { return aclrtMallocWithCfg(&made, size, policy, &config); });
  return make_tuple<2>({to_python(made), to_python(ret)});
}

PyObject* malloc_host_with_cfg(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::uint64_t size = 0;
  PyObject* cfg = nullptr;
  std::vector<aclrtMallocAttribute> attributes;
  if (!read_arguments("malloc_host_with_cfg", {arguments, argc}, size, cfg) ||
      !read_config(cfg, attributes)) {
    return nullptr;
  }
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  void* made = nullptr;
  const aclError ret =
      call_with<gil::released>([&] { return aclrtMallocHostWithCfg(&made, size, &config); });
  return make_tuple<2>({to_python(made), to_python(ret)});
}

PyObject* pointer_get_attributes(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  const void* pointer = nullptr;
  if (!read_arguments("pointer_get_attributes", {arguments, argc}, pointer)) return nullptr;
  aclrtPtrAttributes found = {};
  const aclError ret = aclrtPointerGetAttributes(pointer, &found);
  return Py_BuildValue("({s:N,s:I,s:[IIII]}i)", "location", location_dict(found.location),
                       "page_size", found.pageSize, "rsv", found.rsv[0], found.rsv[1], found.rsv[2],
                       found.rsv[3], ret);
}

}  // namespace

void add_memory_methods(method_table& methods) {
  methods.insert(methods.end(),
                 {
                     blocking_method<"malloc", aclrtMalloc, outputs<0>>(),
                     blocking_method<"malloc_align32", aclrtMallocAlign32, outputs<0>>(),
                     blocking_method<"malloc_cached", aclrtMallocCached, outputs<0>>(),
                     method("malloc_with_cfg", &malloc_with_cfg),
                     blocking_method<"free", aclrtFree>(),
                     blocking_method<"malloc_host", aclrtMallocHost, outputs<0>>(),
                     method("malloc_host_with_cfg", &malloc_host_with_cfg),
                     blocking_method<"free_host", aclrtFreeHost>(),
                     method<"mem_flush", aclrtMemFlush>(),
                     method<"mem_invalidate", aclrtMemInvalidate>(),
                     method<"get_mem_info", aclrtGetMemInfo, outputs<1, 2>>(),
                     method("pointer_get_attributes", &pointer_get_attributes),
                     method<"host_register", aclrtHostRegister, outputs<3>>(),
                     method<"host_unregister", aclrtHostUnregister>(),
                     method<"host_register_v2", aclrtHostRegisterV2>(),
                     method<"host_get_device_pointer", aclrtHostGetDevicePointer, outputs<1>>(),
                 });
}

}  // namespace convoy::python
