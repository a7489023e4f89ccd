// acl: start and end, versions, data buffers.

#include <acl/acl.h>

#include <string>

#include "records.hpp"
#include "tables.hpp"

namespace convoy::python {
namespace {

PyObject* init(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  const char* path = nullptr;
  if (given > 1 && !has_arguments("init", given, 1)) return nullptr;
  if (given == 1 && arguments[0] != Py_None && !from_python(arguments[0], path)) return nullptr;
  return to_python(call_with<gil::released>([&] { return aclInit(path); }));
}

PyObject* get_cann_version(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  aclCANNPackageName package = {};
  if (!has_arguments("get_cann_version", given, 1) || !from_python(arguments[0], package)) {
    return nullptr;
  }
  aclCANNPackageVersion found = {};
  const aclError ret = aclsysGetCANNVersion(package, &found);
  return Py_BuildValue("({s:s,s:s,s:s,s:s,s:s}i)", "version", found.version, "majorVersion",
                       found.majorVersion, "minorVersion", found.minorVersion, "releaseVersion",
                       found.releaseVersion, "patchVersion", found.patchVersion, ret);
}

PyObject* get_version_str(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  const char* name = nullptr;
  if (!has_arguments("get_version_str", given, 1) || !from_python(arguments[0], name)) {
    return nullptr;
  }
  char found[ACL_PKG_VERSION_MAX_SIZE] = {};
  const aclError ret = aclsysGetVersionStr(std::string(name).data(), found);
  return Py_BuildValue("(si)", found, ret);
}

PyObject* app_log(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  aclLogLevel level = {};
  const char* message = nullptr;
  if (!has_arguments("app_log", given, 2) || !from_python(arguments[0], level) ||
      !from_python(arguments[1], message)) {
    return nullptr;
  }
  aclAppLog(level, "", "", 0, "%s", message);
  Py_RETURN_NONE;
}

}  // namespace

void add_root_rows(table& rows) {
  rows.insert(rows.end(), {
                              row("init", &init),
                              waiting_row<"finalize", aclFinalize>(),
                              waiting_row<"finalize_reference", aclFinalizeReference, outputs<0>>(),
                              row<"get_version", aclrtGetVersion, outputs<0, 1, 2>>(),
                              row<"get_soc_name", aclrtGetSocName>(),
                              row<"get_recent_err_msg", aclGetRecentErrMsg>(),
                              row("get_cann_version", &get_cann_version),
                              row("get_version_str", &get_version_str),
                              row<"create_data_buffer", aclCreateDataBuffer>(),
                              row<"destroy_data_buffer", aclDestroyDataBuffer>(),
                              row<"get_data_buffer_addr", aclGetDataBufferAddr>(),
                              row<"get_data_buffer_size", aclGetDataBufferSizeV2>(),
                              row<"update_data_buffer", aclUpdateDataBuffer>(),
                              row("app_log", &app_log),
                              row<"data_type_size", aclDataTypeSize>(),
                          });
}

}  // namespace convoy::python
