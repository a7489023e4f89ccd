#include "atomic_file.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

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

}  // namespace

void write_file(const std::string& path, const std::function<void(const std::string&)>& write) {
  const std::string partial = fmt::format("{}.{}.part", path, ::getpid());
  if (partial.size() >= partial_file.size()) throw failure("the file name is too long");
  std::copy_n(partial.c_str(), partial.size() + 1, partial_file.data());
  writing = true;
  try {
    write(partial);
    std::filesystem::rename(partial, path);
  } catch (const std::exception&) {
    const std::string reason = std::strerror(errno);
    ::unlink(partial.c_str());
    writing = false;
    throw failure(fmt::format("{} cannot be written ({}); choose another file", path, reason));
  }
  writing = false;
}

void write_file(const std::string& path, std::string_view contents) {
  write_file(path, [&](const std::string& name) {
    std::ofstream file(name, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
  });
}

void remove_partial_files_on_signals() {
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    action.sa_handler = remove_partial_file;
    ::sigaction(each, &action, nullptr);
  }
}

}  // namespace convoy::tools
