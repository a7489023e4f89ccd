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

#include "state/thread.hpp"

namespace convoy::ascendcl {
namespace {

// The release whose interface this is.
constexpr char release[] = "9.1.0";
constexpr std::int32_t release_number = 90100000;

struct initialization {
  std::mutex mutex;  // guards the rest
  std::uint64_t references = 0;
  std::string configuration;
};

initialization& this_process() {
  static auto* const only = new initialization;
  return *only;
}

found<std::string> read_configuration(const char* path) {
  if (path == nullptr || *path == '\0') return {};
  std::ifstream file(path);
  if (!file)
    return none<std::string>(failed_lightly(ACL_ERROR_INVALID_FILE, "the file cannot be read"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
  std::erase_if(text, space);
  const bool object = text.size() >= 2 && text.front() == '{' && text.back() == '}';
  if (text.empty() || object) return {std::move(text)};
  return none<std::string>(failed_lightly(ACL_ERROR_PARSE_FILE, "the file holds no JSON object"));
}

outcome drop_references(std::uint64_t leave, std::uint64_t* left) {
  initialization& here = this_process();
  const std::lock_guard held(here.mutex);
  if (here.references == 0) {
    return failed_lightly(ACL_ERROR_REPEAT_FINALIZE,
                          "AscendCL is not initialized, or finalized already");
  }
  here.references = std::min(leave, here.references - 1);
  if (left != nullptr) *left = here.references;
  return {};
}

constexpr std::array attributes_there_are{ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                          ACL_CANN_ATTR_JIT_COMPILE};

// Where the vendor's library would print as well.
bool log_is_wanted() {
  const char* const asked = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  return asked != nullptr && std::string_view(asked) == "1";
}

}  // namespace

outcome initialize(const char* path) {
  const auto wanted = read_configuration(path);
  if (!wanted) return wanted.why;
  initialization& here = this_process();
  const std::lock_guard held(here.mutex);
  if (here.references == 0) here.configuration = *wanted;
  if (here.configuration != *wanted) return refused("the first call had another configuration");
  if (++here.references == 1) return {};
  return failed_lightly(ACL_ERROR_REPEAT_INITIALIZE,
                        "AscendCL was initialized before, and is all the same");
}

outcome finalize() { return drop_references(0, nullptr); }

outcome finalize_reference(std::uint64_t* left) { return drop_references(UINT64_MAX, left); }

outcome get_version(std::int32_t* major, std::int32_t* minor, std::int32_t* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) {
    return refused("a place for the answer is NULL");
  }
  *major = ACL_MAJOR_VERSION;
  *minor = ACL_MINOR_VERSION;
  *patch = ACL_PATCH_VERSION;
  return {};
}

outcome get_package_version(aclCANNPackageName name, aclCANNPackageVersion* into) {
  if (into == nullptr) return refused("version is NULL");
  if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) return refused("no such package");
  *into = {};
  std::memcpy(into->version, release, sizeof release);
  into->majorVersion[0] = release[0];
  into->minorVersion[0] = release[2];
  into->releaseVersion[0] = release[4];
  return {};
}

outcome get_release_name(const char* package, char* into) {
  if (package == nullptr || into == nullptr) return refused("pkgName or versionStr is NULL");
  std::memcpy(into, release, sizeof release);
  return {};
}

outcome get_release_number(const char* package, std::int32_t* into) {
  if (package == nullptr || into == nullptr) return refused("pkgName or versionNum is NULL");
  *into = release_number;
  return {};
}

outcome list_cann_attributes(const aclCannAttr** into, std::size_t* count) {
  if (into == nullptr || count == nullptr) return refused("cannAttrList or num is NULL");
  *into = attributes_there_are.data();
  *count = attributes_there_are.size();
  return {};
}

outcome get_cann_attribute(aclCannAttr which, std::int32_t* into) {
  if (into == nullptr) return refused("value is NULL");
  const auto end = attributes_there_are.end();
  if (std::find(attributes_there_are.begin(), end, which) == end)
    return refused("no such attribute");
  *into = 1;
  return {};
}

aclError last_error(aclrtLastErrLevel level, after_telling then) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_INVALID_PARAM;
  thread_state& me = this_thread();
  const aclError told = me.last_error;
  if (then == after_telling::forget) me.last_error = ACL_SUCCESS;
  return told;
}

const char* recent_error_message() {
  thread_state& me = this_thread();
  if (me.untold.empty()) return nullptr;
  me.told = std::exchange(me.untold, {});
  return me.told.c_str();
}

void write_log(const log_line& from, const char* format, va_list arguments) {
  static constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  if (format == nullptr || from.level < ACL_DEBUG || from.level > ACL_ERROR) return;
  if (!log_is_wanted()) return;
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::printf("[%s] %s:%u %s: %s\n", names[from.level], from.file == nullptr ? "" : from.file,
              from.line, from.function == nullptr ? "" : from.function, text);
}

}  // namespace convoy::ascendcl
