// acl: initialization, versions, data buffers.

#include <acl/acl.h>

#include <string>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

PyObject* init(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  const char* path = nullptr;
  if (argc > 1 && !has_argument_count("init", argc, 1)) return nullptr;
  if (argc == 1 && arguments[0] != Py_None && !from_python(arguments[0], path)) return nullptr;
  return to_python(call_with<gil::released>([&] { return aclInit(path); }));
}

PyObject* get_cann_version(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  aclCANNPackageName package = {};
  if (!read_arguments("get_cann_version", {arguments, argc}, package)) return nullptr;
  aclCANNPackageVersion found = {};
  const aclError ret = aclsysGetCANNVersion(package, &found);
  return Py_BuildValue("({s:s,s:s,s:s,s:s,s:s}i)", "version", found.version, "majorVersion",
                       found.majorVersion, "minorVersion", found.minorVersion, "releaseVersion",
                       found.releaseVersion, "patchVersion", found.patchVersion, ret);
}

PyObject* get_version_str(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  const char* name = nullptr;
  if (!read_arguments("get_version_str", {arguments, argc}, name)) return nullptr;
  char found[ACL_PKG_VERSION_MAX_SIZE] = {};
  const aclError ret = aclsysGetVersionStr(std::string(name).data(), found);
  return Py_BuildValue("(si)", found, ret);
}

PyObject* app_log(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  aclLogLevel level = {};
  const char* message = nullptr;
  if (!read_arguments("app_log", {arguments, argc}, level, message)) return nullptr;
  aclAppLog(level, "", "", 0, "%s", message);
  Py_RETURN_NONE;
}

}  // namespace

void add_root_methods(method_table& methods) {
  methods.insert(methods.end(),
                 {
                     method("init", &init),
                     blocking_method<"finalize", aclFinalize>(),
                     blocking_method<"finalize_reference", aclFinalizeReference, outputs<0>>(),
                     method<"get_version", aclrtGetVersion, outputs<0, 1, 2>>(),
                     method<"get_soc_name", aclrtGetSocName>(),
                     method<"get_recent_err_msg", aclGetRecentErrMsg>(),
                     method("get_cann_version", &get_cann_version),
                     method("get_version_str", &get_version_str),
                     method<"create_data_buffer", aclCreateDataBuffer>(),
                     method<"destroy_data_buffer", aclDestroyDataBuffer>(),
                     method<"get_data_buffer_addr", aclGetDataBufferAddr>(),
                     method<"get_data_buffer_size", aclGetDataBufferSizeV2>(),
                     method<"update_data_buffer", aclUpdateDataBuffer>(),
                     method("app_log", &app_log),
                     method<"data_type_size", aclDataTypeSize>(),
                 });
}

}  // namespace convoy::python
