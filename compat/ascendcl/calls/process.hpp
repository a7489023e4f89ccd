// Initialization, versions, the last error of the thread and the application log.
#pragma once

#include <acl/acl.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"

namespace convoy::ascendcl {

call_status initialize(const char* path);
call_status finalize();

// Removes one reference; `left`, unless null, gets the number that remains.
call_status finalize_reference(std::uint64_t* left);

call_status get_version(std::int32_t* major, std::int32_t* minor, std::int32_t* patch);
call_status get_package_version(aclCANNPackageName name, aclCANNPackageVersion* into);
call_status get_release_name(const char* package, char* into);
call_status get_release_number(const char* package, std::int32_t* into);
call_status list_cann_attributes(const aclCannAttr** into, std::size_t* count);
call_status get_cann_attribute(aclCannAttr attribute, std::int32_t* into);

enum class last_error_access { clear, peek };
aclError last_error(aclrtLastErrLevel level, last_error_access access);

// The error texts since the last call, or null. Valid until the next call in this thread.
const char* recent_error_message();

struct log_line {
  aclLogLevel level;
  const char* function;
  const char* file;
  std::uint32_t line;
};
void write_log(const log_line& from, const char* format, va_list arguments);

}  // namespace convoy::ascendcl
