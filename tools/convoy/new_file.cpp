#include "new_file.hpp"

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

#include "failure.hpp"

namespace convoy::cli {
namespace {

// Read by a signal handler, so a plain array; empty when nothing is being written.
std::array<char, 4096> half_written = {};
std::atomic<bool> writing = false;

void clean_up(int signal) {
  if (writing.load()) ::unlink(half_written.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void write_file(const std::string& path, const std::function<void(const std::string&)>& write) {
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  if (beside.size() >= half_written.size()) throw failure("the name of the file is too long");
  std::copy_n(beside.c_str(), beside.size() + 1, half_written.data());
  writing = true;
  try {
    write(beside);
    std::filesystem::rename(beside, path);
  } catch (const std::exception&) {
    const std::string why = std::strerror(errno);
    ::unlink(beside.c_str());
    writing = false;
    throw failure(fmt::format("{} cannot be written ({}); name another file", path, why));
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

void remove_new_files_on_signals() {
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction wanted = {};
    wanted.sa_handler = clean_up;
    ::sigaction(each, &wanted, nullptr);
  }
}

}  // namespace convoy::cli
