// acl.rt: virtual memory management, and memory shared between processes.

#include <acl/acl.h>

#include <string>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

PyObject* malloc_physical(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::size_t size = 0;
  PyObject* prop = nullptr;
  std::uint64_t flags = 0;
  aclrtPhysicalMemProp properties = {};
  if (!read_arguments("malloc_physical", {arguments, argc}, size, prop, flags) ||
      !read_properties(prop, properties)) {
    return nullptr;
  }
  aclrtDrvMemHandle made = nullptr;
  const aclError ret = call_with<gil::released>(
      [&] { return aclrtMallocPhysical(&made, size, &properties, flags); });
  return make_tuple<2>({to_python(made), to_python(ret)});
}

PyObject* mem_get_allocation_granularity(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  PyObject* prop = nullptr;
  aclrtMemGranularityOptions option = {};
  aclrtPhysicalMemProp properties = {};
  if (!read_arguments("mem_get_allocation_granularity", {arguments, argc}, prop, option) ||
      !read_properties(prop, properties)) {
    return nullptr;
  }
  std::size_t found = 0;
  const aclError ret = aclrtMemGetAllocationGranularity(&properties, option, &found);
  return make_tuple<2>({to_python(found), to_python(ret)});
}

PyObject* mem_set_pid_to_shareable_handle(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  std::uint64_t handle = 0;
  PyObject* sequence = nullptr;
  std::vector<std::int32_t> pids;
  if (!read_arguments("mem_set_pid_to_shareable_handle", {arguments, argc}, handle, sequence) ||
      !read_int32_sequence(sequence, "pids", pids)) {
    return nullptr;
  }
  return to_python(aclrtMemSetPidToShareableHandle(handle, pids.data(), pids.size()));
}

// Keys are short: a longer buffer than `longest` is never allocated, whatever length is passed.
PyObject* ipc_mem_get_export_key(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  void* memory = nullptr;
  std::size_t size = 0;
  std::size_t length = 0;
  std::uint64_t flags = 0;
  if (!read_arguments("ipc_mem_get_export_key", {arguments, argc}, memory, size, length, flags)) {
    return nullptr;
  }
  constexpr std::size_t longest = 1 << 16;
  std::string key(std::min(length, longest) + 1, '\0');
  const aclError ret = aclrtIpcMemGetExportKey(memory, size, key.data(), key.size() - 1, flags);
  return Py_BuildValue("(si)", key.c_str(), ret);
}

PyObject* ipc_mem_set_import_pid(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  const char* key = nullptr;
  PyObject* sequence = nullptr;
  std::vector<std::int32_t> pids;
  if (!read_arguments("ipc_mem_set_import_pid", {arguments, argc}, key, sequence) ||
      !read_int32_sequence(sequence, "pids", pids)) {
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
