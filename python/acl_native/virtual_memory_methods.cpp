// acl.rt: virtual memory management, and memory shared between processes.

#include <acl/acl.h>

#include <string>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

PyObject* malloc_physical(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::size_t size = 0;
  aclrtPhysicalMemProp properties = {};
  std::uint64_t flags = 0;
  if (!has_argument_count("malloc_physical", argc, 3) || !from_python(arguments[0], size) ||
      !read_properties(arguments[1], properties) || !from_python(arguments[2], flags)) {
    return nullptr;
  }
  aclrtDrvMemHandle made = nullptr;
  const aclError ret = call_with<gil::released>(
      [&] { return aclrtMallocPhysical(&made, size, &properties, flags); });
  return make_tuple<2>({to_python(made), to_python(ret)});
}

PyObject* mem_get_allocation_granularity(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  aclrtPhysicalMemProp properties = {};
  aclrtMemGranularityOptions option = {};
  if (!has_argument_count("mem_get_allocation_granularity", argc, 2) ||
      !read_properties(arguments[0], properties) || !from_python(arguments[1], option)) {
    return nullptr;
  }
  std::size_t found = 0;
  const aclError ret = aclrtMemGetAllocationGranularity(&properties, option, &found);
  return make_tuple<2>({to_python(found), to_python(ret)});
}

PyObject* mem_set_pid_to_shareable_handle(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::uint64_t handle = 0;
  std::vector<std::int32_t> pids;
  if (!has_argument_count("mem_set_pid_to_shareable_handle", argc, 2) ||
      !from_python(arguments[0], handle) || !read_int32_sequence(arguments[1], "pids", pids)) {
    return nullptr;
  }
  return to_python(aclrtMemSetPidToShareableHandle(handle, pids.data(), pids.size()));
}

// Keys are short; a length that no buffer has is refused here like one that is too short there.
PyObject* ipc_mem_get_export_key(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  void* memory = nullptr;
  std::size_t size = 0;
  std::size_t length = 0;
  std::uint64_t flags = 0;
  if (!has_argument_count("ipc_mem_get_export_key", argc, 4) ||
      !from_python(arguments[0], memory) || !from_python(arguments[1], size) ||
      !from_python(arguments[2], length) || !from_python(arguments[3], flags)) {
    return nullptr;
  }
  constexpr std::size_t longest = 1 << 16;
  std::string key(std::min(length, longest) + 1, '\0');
  const aclError ret = aclrtIpcMemGetExportKey(memory, size, key.data(), key.size() - 1, flags);
  return Py_BuildValue("(si)", key.c_str(), ret);
}

PyObject* ipc_mem_set_import_pid(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  const char* key = nullptr;
  std::vector<std::int32_t> pids;
  if (!has_argument_count("ipc_mem_set_import_pid", argc, 2) || !from_python(arguments[0], key) ||
      !read_int32_sequence(arguments[1], "pids", pids)) {
    return nullptr;
  }
  return to_python(aclrtIpcMemSetImportPid(key, pids.data(), pids.size()));
}

}  // namespace

void add_virtual_memory_methods(method_table& methods) {
  methods.insert(
      methods.end(),
      {
          blocking_method<"reserve_mem_address", aclrtReserveMemAddress, outputs<0>>(),
          method("malloc_physical", &malloc_physical),
          blocking_method<"map_mem", aclrtMapMem>(),
          blocking_method<"unmap_mem", aclrtUnmapMem>(),
          blocking_method<"free_physical", aclrtFreePhysical>(),
          blocking_method<"release_mem_address", aclrtReleaseMemAddress>(),
          method<"mem_export_to_shareable_handle", aclrtMemExportToShareableHandle, outputs<3>>(),
          method<"mem_import_from_shareable_handle", aclrtMemImportFromShareableHandle,
                 outputs<2>>(),
          method("mem_set_pid_to_shareable_handle", &mem_set_pid_to_shareable_handle),
          method("mem_get_allocation_granularity", &mem_get_allocation_granularity),
          method("ipc_mem_get_export_key", &ipc_mem_get_export_key),
          method("ipc_mem_set_import_pid", &ipc_mem_set_import_pid),
          blocking_method<"ipc_mem_import_by_key", aclrtIpcMemImportByKey, outputs<0>>(),
          blocking_method<"ipc_mem_close", aclrtIpcMemClose>(),
      });
}

}  // namespace convoy::python
