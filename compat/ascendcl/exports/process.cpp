// Initialization, versions, errors, data types and the log.
#include "calls/process.hpp"

#include <new>

#include "calls/element_types.hpp"
#include "exports/acl_call.hpp"
#include "state/soc.hpp"

using namespace convoy::ascendcl;

aclError aclInit(const char* configPath) {
  return acl_call(__func__, [&] { return initialize(configPath); });
}
aclError aclFinalize(void) {
  return acl_call(__func__, [] { return finalize(); });
}
aclError aclFinalizeReference(uint64_t* refCount) {
  return acl_call(__func__, [&] { return finalize_reference(refCount); });
}
const char* aclGetRecentErrMsg(void) { return recent_error_message(); }
aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return last_error(level, last_error_access::clear);
}
aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return last_error(level, last_error_access::peek);
}
aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return acl_call(__func__, [&] { return get_version(majorVersion, minorVersion, patchVersion); });
}
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return acl_call(__func__, [&] { return get_package_version(name, version); });
}
aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return acl_call(__func__, [&] { return get_release_name(pkgName, versionStr); });
}
aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return acl_call(__func__, [&] { return get_release_number(pkgName, versionNum); });
}
const char* aclrtGetSocName(void) { return soc().name.c_str(); }
aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return acl_call(__func__, [&] { return list_cann_attributes(cannAttrList, num); });
}
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return acl_call(__func__, [&] { return get_cann_attribute(cannAttr, value); });
}

size_t aclDataTypeSize(aclDataType dataType) { return size_of(dataType); }
float aclFloat16ToFloat(aclFloat16 value) { return to_float(value); }
aclFloat16 aclFloatToFloat16(float value) { return static_cast<aclFloat16>(to_half(value)); }

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return new (std::nothrow) aclDataBuffer{data, size};
}
aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return acl_call(__func__, [&] { return destroy_buffer(dataBuffer); });
}
aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return acl_call(__func__, [&] { return update_buffer(dataBuffer, data, size); });
}
void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? nullptr : dataBuffer->start;
}
uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? 0 : dataBuffer->bytes;
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  write_log({logLevel, func, file, line}, fmt, arguments);
  va_end(arguments);
}
