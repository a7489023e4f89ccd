// acl.rt: memory and its kinds.

#include <acl/acl.h>

#include "records.hpp"
#include "tables.hpp"

namespace convoy::python {
namespace {

// The value of an attribute: an int, or a dict with the one member it has.
bool read_attribute_value(PyObject* given, aclrtMallocAttrValue& value) {
  if (!PyDict_Check(given)) return from_python(given, value.deviceId);
  for (const char* member : {"moduleId", "deviceId", "vaFlag"}) {
    if (!read_key(given, member, value.deviceId)) return false;
  }
  return true;
}

bool read_attribute(PyObject* given, aclrtMallocAttribute& attribute) {
  if (!is_dict(given, "an attribute of cfg") || !read_key(given, "attr", attribute.attr)) {
    return false;
  }
  PyObject* const value = find_key(given, "value");
  return value == nullptr || read_attribute_value(value, attribute.value);
}

// {"attrs": [{"attr": type, "value": number}, ...]}; None and {} are no attributes.
bool read_config(PyObject* given, std::vector<aclrtMallocAttribute>& attributes) {
  if (given == Py_None) return true;
  if (!is_dict(given, "cfg")) return false;
  PyObject* const list = find_key(given, "attrs");
  if (list == nullptr) return true;
  PyObject* const items = PySequence_Fast(list, "attrs of cfg must be a list");
  if (items == nullptr) return false;
  bool good = true;
  for (Py_ssize_t i = 0; good && i != PySequence_Fast_GET_SIZE(items); ++i) {
    good = read_attribute(PySequence_Fast_GET_ITEM(items, i), attributes.emplace_back());
  }
  Py_DECREF(items);
  return good;
}

PyObject* malloc_with_cfg(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  std::size_t size = 0;
  aclrtMemMallocPolicy policy = {};
  std::vector<aclrtMallocAttribute> attributes;
  if (!has_arguments("malloc_with_cfg", given, 3) || !from_python(arguments[0], size) ||
      !from_python(arguments[1], policy) || !read_config(arguments[2], attributes)) {
    return nullptr;
  }
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  void* made = nullptr;
  const aclError ret =
      call_with<gil::released>([&] { return aclrtMallocWithCfg(&made, size, policy, &config); });
  return pack<2>({to_python(made), to_python(ret)});
}

PyObject* malloc_host_with_cfg(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  std::uint64_t size = 0;
  std::vector<aclrtMallocAttribute> attributes;
  if (!has_arguments("malloc_host_with_cfg", given, 2) || !from_python(arguments[0], size) ||
      !read_config(arguments[1], attributes)) {
    return nullptr;
  }
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  void* made = nullptr;
  const aclError ret =
      call_with<gil::released>([&] { return aclrtMallocHostWithCfg(&made, size, &config); });
  return pack<2>({to_python(made), to_python(ret)});
}

PyObject* pointer_get_attributes(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  const void* pointer = nullptr;
  if (!has_arguments("pointer_get_attributes", given, 1) || !from_python(arguments[0], pointer)) {
    return nullptr;
  }
  aclrtPtrAttributes found = {};
  const aclError ret = aclrtPointerGetAttributes(pointer, &found);
  return Py_BuildValue("({s:N,s:I,s:[IIII]}i)", "location", location_dict(found.location),
                       "page_size", found.pageSize, "rsv", found.rsv[0], found.rsv[1], found.rsv[2],
                       found.rsv[3], ret);
}

}  // namespace

void add_memory_rows(table& rows) {
  rows.insert(rows.end(),
              {
                  waiting_row<"malloc", aclrtMalloc, outputs<0>>(),
                  waiting_row<"malloc_align32", aclrtMallocAlign32, outputs<0>>(),
                  waiting_row<"malloc_cached", aclrtMallocCached, outputs<0>>(),
                  row("malloc_with_cfg", &malloc_with_cfg),
                  waiting_row<"free", aclrtFree>(),
                  waiting_row<"malloc_host", aclrtMallocHost, outputs<0>>(),
                  row("malloc_host_with_cfg", &malloc_host_with_cfg),
                  waiting_row<"free_host", aclrtFreeHost>(),
                  row<"mem_flush", aclrtMemFlush>(),
                  row<"mem_invalidate", aclrtMemInvalidate>(),
                  row<"get_mem_info", aclrtGetMemInfo, outputs<1, 2>>(),
                  row("pointer_get_attributes", &pointer_get_attributes),
                  row<"host_register", aclrtHostRegister, outputs<3>>(),
                  row<"host_unregister", aclrtHostUnregister>(),
                  row<"host_register_v2", aclrtHostRegisterV2>(),
                  row<"host_get_device_pointer", aclrtHostGetDevicePointer, outputs<1>>(),
              });
}

}  // namespace convoy::python
