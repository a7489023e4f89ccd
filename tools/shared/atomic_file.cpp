#include "shared/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

// Read by a signal handler, so a plain array. Valid while `writing`.
std::array<char, 4096> partial_file = {};
std::atomic<bool> writing = false;

void remove_partial_file(int signal) {
  if (writing.load()) ::unlink(partial_file.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw failure(fmt::format("{} cannot be written ({}); choose another file", path, reason));
}

// RAII: a file descriptor, and the partial file behind it.
class open_file {
 public:
  explicit open_file(int number) : number_(number) {}
  ~open_file() {
    if (number_ >= 0) ::close(number_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  [[nodiscard]] bool is_open() const { return number_ >= 0; }

  // False and errno on failure.
  bool write(std::string_view contents) const {
    while (!contents.empty()) {
      const ssize_t written = ::write(number_, contents.data(), contents.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// The descriptor that a name such as /dev/stdout stands for.
std::optional<int> named_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view folder = "/dev/fd/";
  if (!path.starts_with(folder)) return {};
  int number = 0;
  const auto [end, problem] =
      std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
  if (problem != std::errc{} || end != path.data() + path.size()) return {};
  return number;
}

enum class target { replaced, written_directly };

target check_target(const std::string& path) {
  if (named_descriptor(path)) return target::written_directly;
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return target::replaced;
  if (S_ISLNK(found.st_mode)) fail(path, "it is a symbolic link");
  if (S_ISDIR(found.st_mode)) fail(path, "it is a folder");
  return target::written_directly;
}

void write_directly(const std::string& path, std::string_view contents) {
  std::fflush(stdout);
  const auto number = named_descriptor(path);
  const open_file file(number ? ::dup(*number)
                              : ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  if (!file.is_open() || !file.write(contents)) fail(path, std::strerror(errno));
}

// Created with O_EXCL, so that a link of that name is not followed.
int create_partial(const std::string& path) {
  const std::string partial = fmt::format("{}.{}.part", path, ::getpid());
  if (partial.size() >= partial_file.size()) throw failure("the file name is too long");
  std::copy_n(partial.c_str(), partial.size() + 1, partial_file.data());
  ::unlink(partial.c_str());  // of an earlier process with this PID
  return ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

}  // namespace

void check_output_name(const std::string& path) { static_cast<void>(check_target(path)); }

void write_file(const std::string& path, std::string_view contents) {
  if (check_target(path) == target::written_directly) return write_directly(path, contents);
  open_file file(create_partial(path));
  if (!file.is_open()) fail(path, std::strerror(errno));
  writing = true;
  const bool written =
      file.write(contents) && file.close() && ::rename(partial_file.data(), path.c_str()) == 0;
  const std::string reason = std::strerror(errno);
  if (!written) ::unlink(partial_file.data());
  writing = false;
  if (!written) fail(path, reason);
}

void remove_partial_files_on_signals() {
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    action.sa_handler = remove_partial_file;
    ::sigaction(each, &action, nullptr);
  }
}

}  // namespace convoy::tools
