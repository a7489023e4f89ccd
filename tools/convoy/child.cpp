#include "child.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "elf_file.hpp"
#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

volatile sig_atomic_t running_child = 0;

// The terminal sends its signals to the program as well, so only signals sent by processes are
// forwarded.
void forward_signal(int signal, siginfo_t* origin, void*) {
  if (running_child != 0 && origin->si_code <= 0) ::kill(running_child, signal);
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Searches PATH as a shell does; empty when there is no such program.
fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return fs::exists(name) ? fs::path(name) : fs::path();
  std::istringstream folders(variable("PATH"));
  for (std::string each; std::getline(folders, each, ':');) {
    fs::path candidate = fs::path(each.empty() ? "." : each) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
  }
  return {};
}

std::string prepend_path(const std::string& first, const std::string& rest) {
  if (first.empty() || rest.empty()) return first + rest;
  return first + ":" + rest;
}

// A command may run inside another one of Convoy's: its value then comes first already.
std::string prepend_once(const std::string& first, const std::string& rest) {
  const bool is_first = rest == first || rest.starts_with(first + ":");
  return is_first ? rest : prepend_path(first, rest);
}

// The dynamic linker then ignores LD_AUDIT, and paths in LD_LIBRARY_PATH.
bool raises_privileges(const fs::path& program) {
  struct stat found = {};
  if (::stat(program.c_str(), &found) != 0) return false;
  return (found.st_mode & (S_ISUID | S_ISGID)) != 0 ||
         ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0;
}

// On the path of its own interpreter already, and unsuitable for others.
bool is_site_packages(const fs::path& folder) {
  return folder.filename() == "site-packages" || folder.filename() == "dist-packages";
}

// Returns only when the program cannot be started: the exit code of the process, 126 or 127 as
// shells have it.
int exec_or_report(const launch& program) {
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::signal(each, SIG_DFL);
  for (const auto& [name, value] : program.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& each : program.command)
    arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int code = errno == ENOENT ? 127 : 126;
  fmt::print(stderr, "convoy: {} cannot be started ({})\n", arguments[0], std::strerror(errno));
  return code;
}

}  // namespace

std::vector<std::string> checked_command(std::vector<std::string> command) {
  const std::string name = command.front();
  if (name.ends_with(".py") && fs::exists(name) && ::access(name.c_str(), X_OK) != 0) {
    command.insert(command.begin(), "python3");
    return command;
  }
  const fs::path file = find_program(name);
  if (file.empty()) {
    throw failure(
        fmt::format("there is no program {}; give its path or add its folder to PATH", name));
  }
  if (inspect_elf(file).has_cuda_inside) {
    throw failure(fmt::format(
        "{} is statically linked with NVIDIA's runtime, which cannot be replaced; link it with the "
        "shared runtime (nvcc -cudart shared, or CUDA_RUNTIME_LIBRARY Shared in CMake)",
        name));
  }
  return command;
}

variables library_variables(const install_tree& tree) {
  std::string libraries;
  for (const drop_in_library& each : {tree.ascend, tree.cuda}) {
    if (each.present) libraries = prepend_path(libraries, each.folder);
  }
  libraries = prepend_path(libraries, tree.library.parent_path());
  variables all{{"LD_LIBRARY_PATH", libraries}};
  if (!tree.audit.empty()) all.emplace_back("LD_AUDIT", tree.audit);
  std::string modules;
  if (tree.python.present && !is_site_packages(tree.python.folder)) modules = tree.python.folder;
  // Its sitecustomize.py lets PyTorch compute, when the program imports it.
  const auto site = tree.python.folder / "convoy" / "site";
  if (std::filesystem::exists(site / "sitecustomize.py")) modules = prepend_path(site, modules);
  if (!modules.empty()) all.emplace_back("PYTHONPATH", modules);
  return all;
}

variables library_environment(const install_tree& tree) {
  variables all = library_variables(tree);
  for (auto& [name, value] : all) value = prepend_once(value, variable(name.c_str()));
  return all;
}

std::string replacement_obstacle(const std::string& program, const install_tree& tree) {
  const fs::path file = find_program(program);
  const elf_facts facts = inspect_elf(file);
  if (facts.is_elf && !facts.is_dynamic) {
    return fmt::format("{} is statically linked, so it loads none of Convoy's libraries", program);
  }
  if (raises_privileges(file)) {
    return fmt::format("{} runs with raised privileges, so it loads none of Convoy's libraries",
                       program);
  }
  if (facts.interpreter.find("ld-musl") != std::string::npos) {
    return fmt::format("{} uses musl, and Convoy's libraries are built for glibc", program);
  }
  if (tree.audit.empty()) {
    return "libconvoy-audit.so is not installed, so a program with a fixed path to a vendor's "
           "library keeps that one; install all of Convoy";
  }
  return "";
}

void exec_program(const launch& program) { std::exit(exec_or_report(program)); }

int run_child(const launch& program) {
  const pid_t child = ::fork();
  if (child < 0) throw failure("fork failed: no process can be started");
  if (child == 0) ::_exit(exec_or_report(program));
  running_child = child;
  // The program decides what a signal means; this process ends when the program does.
  for (const int each : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    struct sigaction action = {};
    action.sa_sigaction = forward_signal;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(each, &action, nullptr);
  }
  int wait_status = 0;
  while (::waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  return wait_status;
}

void exit_like(int wait_status) {
  std::fflush(nullptr);
  if (!WIFSIGNALED(wait_status)) std::exit(WEXITSTATUS(wait_status));
  // The program has written a core file already.
  const struct rlimit none = {};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(WTERMSIG(wait_status), SIG_DFL);
  ::raise(WTERMSIG(wait_status));
  std::exit(128 + WTERMSIG(wait_status));
}

}  // namespace convoy::tools
