// What concerns the process or the thread alone: initialization, versions, the last error, the log.
#pragma once

#include <acl/acl.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "state/outcome.hpp"

namespace convoy::ascendcl {

outcome initialize(const char* path);
outcome finalize();

// Takes one reference back, and tells how many are left where `left` is not null.
outcome finalize_reference(std::uint64_t* left);

outcome get_version(std::int32_t* major, std::int32_t* minor, std::int32_t* patch);
outcome get_package_version(aclCANNPackageName name, aclCANNPackageVersion* into);
outcome get_release_name(const char* package, char* into);
outcome get_release_number(const char* package, std::int32_t* into);
outcome list_cann_attributes(const aclCannAttr** into, std::size_t* count);
outcome get_cann_attribute(aclCannAttr which, std::int32_t* into);

enum class after_telling { forget, keep };
aclError last_error(aclrtLastErrLevel level, after_telling then);

// The sentences since the last call; null when there are none. Good until the next call.
const char* recent_error_message();

struct log_line {
  aclLogLevel level;
  const char* function;
  const char* file;
  std::uint32_t line;
};
void write_log(const log_line& from, const char* format, va_list arguments);

}  // namespace convoy::ascendcl
