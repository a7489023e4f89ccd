#include "state/error_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <convoy/api_function.hpp>
#include <convoy/configuration.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "shared/process_lifetime.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

constexpr std::size_t max_entries = 100;

struct callback_entry {
  std::uint64_t key;
  cudaLogsCallback_t function;
  void* argument;
};

// Never destroyed: calls can fail in static destructors.
struct error_log {
  std::mutex mutex;
  std::deque<std::string> lines;
  std::uint32_t next = 0;
  std::vector<callback_entry> callbacks;
  std::uint64_t last_key = 0;
  const bool to_standard_error = logs_failures();
  std::FILE* const file = open();

  static bool logs_failures() {
    const auto setting = setting_value("CONVOY_LOG");
    return setting && (*setting == "failures" || *setting == "both");
  }

  static std::FILE* open() {
    const char* const path = ::secure_getenv("CUDA_LOG_FILE");
    if (path == nullptr) return nullptr;
    const std::string_view target(path);
    if (target == "stderr" || target == "/dev/stderr") return stderr;
    return target == "stdout" || target == "/dev/stdout" ? stdout : open_file(path);
  }

  // Follows no link, through which another user could name a file of this one.
  static std::FILE* open_file(const char* path) {
    constexpr mode_t readable = 0666;
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
    const int file = ::open(path, flags, readable);
    if (file >= 0) return ::fdopen(file, "a");
    const char* const reason = errno == ELOOP ? "it is a symbolic link" : std::strerror(errno);
    std::fprintf(stderr, "convoy: CUDA_LOG_FILE names \"%s\", which cannot be written: %s\n", path,
                 reason);
    return nullptr;
  }

  void add(const std::string& line) {
    lines.push_back(line);
    if (lines.size() > max_entries) lines.pop_front();
    ++next;
    if (to_standard_error && file != stderr) print(stderr, line);
    if (file != nullptr) print(file, line);
  }

  static void print(std::FILE* into, const std::string& line) {
    std::fprintf(into, "%s\n", line.c_str());
    std::fflush(into);
  }
};

void append(std::string line) {
  auto& log = process_object<error_log>();
  std::vector<callback_entry> called;
  {
    const std::lock_guard held(log.mutex);
    log.add(line);
    called = log.callbacks;
  }
  for (const callback_entry& each : called) {
    each.function(each.argument, cudaLogLevelError, line.data(), line.size());
  }
}

}  // namespace

void log_error(const char* function, std::string_view message, const status& cause) noexcept {
  try {
    std::string line = std::string(function) + ": " + std::string(message);
    if (!cause.ok()) line += ": " + explain(cause);
    append(std::move(line));
  } catch (const std::bad_alloc&) {
    return;  // the call still returns its error code
  }
}

namespace {

// The refusal that observers learn of; the engine's status if it has one.
status refusal_of(const call_status& error) noexcept {
  if (!error.cause().ok()) return error.cause();
  switch (error.code()) {
    case cudaErrorMemoryAllocation: return {errc::out_of_memory};
    case cudaErrorNotSupported: return {errc::not_supported};
    case cudaErrorInvalidDevice: return {errc::invalid_device};
    case cudaErrorInvalidResourceHandle: return {errc::invalid_handle};
    default: return {errc::invalid_argument};
  }
}

}  // namespace

void log_failed_call(const char* function, const char* code_name,
                     const call_status& error) noexcept {
  report_refused_call(function, refusal_of(error));
  if (error.reason() == nullptr) return log_error(function, code_name, error.cause());
  try {
    log_error(function, std::string(code_name) + ": " + error.reason());
  } catch (const std::bad_alloc&) {
    return;  // the call still returns its error code
  }
}

std::uint32_t next_log_entry() noexcept {
  auto& log = process_object<error_log>();
  const std::lock_guard held(log.mutex);
  return log.next;
}

std::string log_entries_since(std::uint32_t first, std::size_t max_bytes) {
  auto& log = process_object<error_log>();
  const std::lock_guard held(log.mutex);
  const auto oldest = log.next - static_cast<std::uint32_t>(log.lines.size());
  std::string text;
  for (std::uint32_t i = std::max(first, oldest); i < log.next; ++i) {
    const std::string& line = log.lines[i - oldest];
    if (text.size() + line.size() + 1 > max_bytes) break;
    text += line + "\n";
  }
  return text;
}

std::uint64_t add_log_callback(cudaLogsCallback_t callback, void* argument) {
  auto& log = process_object<error_log>();
  const std::lock_guard held(log.mutex);
  log.callbacks.push_back({++log.last_key, callback, argument});
  return log.last_key;
}

bool remove_log_callback(std::uint64_t key) {
  auto& log = process_object<error_log>();
  const std::lock_guard held(log.mutex);
  return std::erase_if(log.callbacks, [&](const auto& each) { return each.key == key; }) != 0;
}

}  // namespace convoy::cuda
