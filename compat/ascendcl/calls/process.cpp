#include "calls/process.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "shared/process_lifetime.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {
namespace {

// The CANN release whose interface this library has.
constexpr char release[] = "9.1.0";
constexpr std::int32_t release_number = 90100000;

struct initialization {
  std::mutex mutex;  // guards the rest
  std::uint64_t references = 0;
  std::string configuration;
};

initialization& this_process() { return compat::process_object<initialization>(); }

lookup<std::string> read_configuration(const char* path) {
  if (path == nullptr || *path == '\0') return {};
  std::ifstream file(path);
  if (!file) return failed_unrecorded(ACL_ERROR_INVALID_FILE, "the file cannot be read");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  std::erase_if(text, is_space);
  const bool is_object = text.size() >= 2 && text.front() == '{' && text.back() == '}';
  if (text.empty() || is_object) return {std::move(text)};
  return failed_unrecorded(ACL_ERROR_PARSE_FILE, "the file does not hold a JSON object");
}

call_status drop_references(std::uint64_t max_left, std::uint64_t* references_left) {
  initialization& process = this_process();
  const std::lock_guard held(process.mutex);
  if (process.references == 0) {
    return failed_unrecorded(ACL_ERROR_REPEAT_FINALIZE,
                             "AscendCL is not initialized, or finalized already");
  }
  process.references = std::min(max_left, process.references - 1);
  if (references_left != nullptr) *references_left = process.references;
  return {};
}

constexpr std::array supported_attributes{ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                          ACL_CANN_ATTR_JIT_COMPILE};

// The variable that makes the vendor's library print its log.
bool logs_to_stdout() {
  const char* const value = ::secure_getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

call_status initialize(const char* path) {
  const auto configuration = read_configuration(path);
  if (!configuration) return configuration.error;
  initialization& process = this_process();
  const std::lock_guard held(process.mutex);
  if (process.references == 0) process.configuration = *configuration;
  if (process.configuration != *configuration)
    return invalid_param("the first aclInit had another configuration");
  if (++process.references == 1) return {};
  return failed_unrecorded(ACL_ERROR_REPEAT_INITIALIZE,
                           "AscendCL is already initialized; this call adds a reference");
}

call_status finalize() { return drop_references(0, nullptr); }

call_status finalize_reference(std::uint64_t* references_left) {
  return drop_references(UINT64_MAX, references_left);
}

call_status get_version(std::int32_t* major, std::int32_t* minor, std::int32_t* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) {
    return missing_argument(
        {{"majorVersion", major}, {"minorVersion", minor}, {"patchVersion", patch}});
  }
  *major = ACL_MAJOR_VERSION;
  *minor = ACL_MINOR_VERSION;
  *patch = ACL_PATCH_VERSION;
  return {};
}

call_status get_package_version(aclCANNPackageName name, aclCANNPackageVersion* into) {
  if (into == nullptr) return invalid_param("version is NULL");
  if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
    return invalid_param("no such package");
  *into = {};
  std::memcpy(into->version, release, sizeof release);
  into->majorVersion[0] = release[0];
  into->minorVersion[0] = release[2];
  into->releaseVersion[0] = release[4];
  return {};
}

call_status get_release_name(const char* package, char* into) {
  if (package == nullptr || into == nullptr)
    return missing_argument({{"pkgName", package}, {"versionStr", into}});
  std::memcpy(into, release, sizeof release);
  return {};
}

call_status get_release_number(const char* package, std::int32_t* into) {
  if (package == nullptr || into == nullptr)
    return missing_argument({{"pkgName", package}, {"versionNum", into}});
  *into = release_number;
  return {};
}

call_status list_cann_attributes(const aclCannAttr** into, std::size_t* count) {
  if (into == nullptr || count == nullptr)
    return missing_argument({{"cannAttrList", into}, {"num", count}});
  *into = supported_attributes.data();
  *count = supported_attributes.size();
  return {};
}

call_status get_cann_attribute(aclCannAttr attribute, std::int32_t* into) {
  if (into == nullptr) return invalid_param("value is NULL");
  const auto end = supported_attributes.end();
  if (std::find(supported_attributes.begin(), end, attribute) == end)
    return invalid_param("no such attribute");
  *into = 1;
  return {};
}

aclError last_error(aclrtLastErrLevel level, last_error_access access) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_INVALID_PARAM;
  thread_state& thread = this_thread();
  const aclError code = thread.last_error;
  if (access == last_error_access::clear) thread.last_error = ACL_SUCCESS;
  return code;
}

const char* recent_error_message() {
  thread_state& thread = this_thread();
  if (thread.unread_messages.empty()) return nullptr;
  thread.read_messages = std::exchange(thread.unread_messages, {});
  return thread.read_messages.c_str();
}

void write_log(const log_line& from, const char* format, va_list arguments) {
  static constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  if (format == nullptr || from.level < ACL_DEBUG || from.level > ACL_ERROR) return;
  if (!logs_to_stdout()) return;
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::printf("[%s] %s:%u %s: %s\n", names[from.level], from.file == nullptr ? "" : from.file,
              from.line, from.function == nullptr ? "" : from.function, text);
}

}  // namespace convoy::ascendcl
