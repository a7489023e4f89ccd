// Runs a program with Convoy's libraries first on its library path.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "install_tree.hpp"

namespace convoy::tools {

struct launch {
  std::vector<std::string> command;                              // program and arguments
  std::vector<std::pair<std::string, std::string>> environment;  // added to that of this process
};

// Adds the interpreter of a Python script that is not executable. Throws a failure for a program
// that does not exist or is statically linked with NVIDIA's runtime.
std::vector<std::string> checked_command(std::vector<std::string> command);

// LD_LIBRARY_PATH and PYTHONPATH with the installed drop-in libraries in front.
std::vector<std::pair<std::string, std::string>> library_environment(const install_tree& tree);

// Replaces this process by the program.
[[noreturn]] void exec_program(const launch& program);

// Runs the program as a child, forwards signals to it, and returns its wait status.
int run_child(const launch& program);

// Ends this process as the child ended: with its exit code, or by its signal.
[[noreturn]] void exit_like(int wait_status);

}  // namespace convoy::tools
