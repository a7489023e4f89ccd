#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <string_view>

#include "border.hpp"
#include "state/models.hpp"
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

outcome finalize(std::uint64_t leave, std::uint64_t* left) {
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

outcome tell_version(std::int32_t* major, std::int32_t* minor, std::int32_t* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) {
    return refused("a place for the answer is NULL");
  }
  *major = ACL_MAJOR_VERSION;
  *minor = ACL_MINOR_VERSION;
  *patch = ACL_PATCH_VERSION;
  return {};
}

outcome tell_package(aclCANNPackageName name, aclCANNPackageVersion* into) {
  if (into == nullptr) return refused("version is NULL");
  if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) return refused("no such package");
  *into = {};
  std::memcpy(into->version, release, sizeof release);
  into->majorVersion[0] = release[0];
  into->minorVersion[0] = release[2];
  into->releaseVersion[0] = release[4];
  return {};
}

outcome tell_release(const char* package, char* into) {
  if (package == nullptr || into == nullptr) return refused("pkgName or versionStr is NULL");
  std::memcpy(into, release, sizeof release);
  return {};
}

outcome tell_release_number(const char* package, std::int32_t* into) {
  if (package == nullptr || into == nullptr) return refused("pkgName or versionNum is NULL");
  *into = release_number;
  return {};
}

constexpr std::array attributes_there_are{ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                          ACL_CANN_ATTR_JIT_COMPILE};

outcome list_attributes(const aclCannAttr** into, std::size_t* count) {
  if (into == nullptr || count == nullptr) return refused("cannAttrList or num is NULL");
  *into = attributes_there_are.data();
  *count = attributes_there_are.size();
  return {};
}

outcome tell_attribute(aclCannAttr which, std::int32_t* into) {
  if (into == nullptr) return refused("value is NULL");
  const auto end = attributes_there_are.end();
  if (std::find(attributes_there_are.begin(), end, which) == end)
    return refused("no such attribute");
  *into = 1;
  return {};
}

enum class after_telling { forget, keep };

aclError last_error(aclrtLastErrLevel level, after_telling then) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_INVALID_PARAM;
  thread_state& me = this_thread();
  const aclError told = me.last_error;
  if (then == after_telling::forget) me.last_error = ACL_SUCCESS;
  return told;
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclInit(const char* configPath) {
  return answer(__func__, [&] { return initialize(configPath); });
}
aclError aclFinalize(void) {
  return answer(__func__, [] { return finalize(0, nullptr); });
}
aclError aclFinalizeReference(uint64_t* refCount) {
  return answer(__func__, [&] { return finalize(UINT64_MAX, refCount); });
}
const char* aclGetRecentErrMsg(void) {
  thread_state& me = this_thread();
  if (me.untold.empty()) return nullptr;
  me.told = std::exchange(me.untold, {});
  return me.told.c_str();
}
aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return last_error(level, after_telling::forget);
}
aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return last_error(level, after_telling::keep);
}
aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return answer(__func__, [&] { return tell_version(majorVersion, minorVersion, patchVersion); });
}
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return answer(__func__, [&] { return tell_package(name, version); });
}
aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return answer(__func__, [&] { return tell_release(pkgName, versionStr); });
}
aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return answer(__func__, [&] { return tell_release_number(pkgName, versionNum); });
}
const char* aclrtGetSocName(void) { return this_model().name.c_str(); }
aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return answer(__func__, [&] { return list_attributes(cannAttrList, num); });
}
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return answer(__func__, [&] { return tell_attribute(cannAttr, value); });
}
